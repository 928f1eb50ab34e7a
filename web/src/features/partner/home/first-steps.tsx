import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { queryOptions } from '@portal/api-client/query';
import { fileRoutes, sessionRoutes, userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { home } from '../../../i18n/ja/home.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { viewerZone } from '../../../lib/format.ts';
import { changePreferences } from '../../../lib/preferences.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Link } from '../../../ui/link.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';

/** Among the preferences: this person does not want to see them. Whether a step is done is asked of the data. */
const dismissed = 'homeStepsDismissed';

interface Step {
  readonly text: keyof typeof home.steps & ('group' | 'people' | 'file' | 'assignment' | 'signIn');
  readonly isDone: boolean;
  /** Where it is done. */
  readonly to: string;
}

interface FirstStepsState {
  readonly isLoading: boolean;
  /** Undefined where they are not shown: to who cannot do them, once all are done, or when somebody wants no more of them. */
  readonly steps: readonly Step[] | undefined;
}

const count = (reply: object | undefined) =>
  reply && 'totalCount' in reply && typeof reply.totalCount === 'number' ? reply.totalCount : 0;

/** How far a company is on its way to the first delivery. */
export function useFirstSteps(): FirstStepsState {
  const may = useMay();
  const { partner, user } = usePartnerSession();
  const params = { pid: partner.id };
  const isAdmin = may('createGroup') && may('createUser') && may('assignGroups');
  const preferences = useApiQuery(sessionRoutes.getPartnerPreferences, {}, { enabled: isAdmin });
  const isWanted = isAdmin && preferences.data !== undefined && preferences.data[dismissed] !== true;
  const options = { enabled: isWanted };
  const files = useApiQuery(
    fileRoutes.listFiles,
    { params, query: { page: 1, perPage: 1, state: 'nobody,reserved,update_reserved,delivered' } },
    options,
  );
  const assigned = useApiQuery(
    fileRoutes.listFiles,
    { params, query: { page: 1, perPage: 1, state: 'reserved,update_reserved,delivered' } },
    options,
  );
  const groups = useApiQuery(userRoutes.listGroups, { params, query: { page: 1, perPage: 1 } }, options);
  // Two, as one of them may be oneself.
  const people = useApiQuery(userRoutes.listUsers, { params, query: { page: 1, perPage: 2 } }, options);
  const overview = useApiQuery(userRoutes.usersOverview, { params, query: { tz: viewerZone() } }, options);
  const queries = [files, assigned, groups, people, overview];
  const isLoading = preferences.isLoading || queries.some((query) => query.isLoading);
  if (!isWanted || queries.some(({ data }) => data === undefined)) return { isLoading, steps: undefined };

  const others = (rows: readonly { id: number }[] = []) => rows.some(({ id }) => id !== user.id);
  const steps: readonly Step[] = [
    { text: 'group', isDone: count(groups.data) > 0, to: '/partner/groups/create' },
    { text: 'people', isDone: others(people.data?.users), to: '/partner/users/create' },
    { text: 'file', isDone: count(files.data) > 0, to: '/partner/files/create' },
    { text: 'assignment', isDone: count(assigned.data) > 0, to: '/partner/files?state=nobody' },
    { text: 'signIn', isDone: others(overview.data?.lastSignIns), to: '/partner/users?passwordState=none' },
  ];
  return { isLoading, steps: steps.every(({ isDone }) => isDone) ? undefined : steps };
}

/** The way of a new company to its first delivery; each step ticks itself off. */
export function FirstSteps({ steps: { steps } }: { steps: FirstStepsState }) {
  const { t } = useTranslation('home');
  const api = useApi();
  const queries = useQueryClient();
  const { showError } = useErrorModal();
  const dismiss = useAction({
    mutationFn: () => changePreferences(api, 'partner', () => ({ [dismissed]: true })),
    onSuccess: () =>
      queries.invalidateQueries({
        queryKey: queryOptions(api, sessionRoutes.getPartnerPreferences, {}).queryKey,
      }),
    onError: showError,
  });
  if (!steps) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section
      title={t('steps.title')}
      lead={t('steps.lead')}
      action={
        <Flex align="center" gap="3">
          <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('steps.progress', { done, total: steps.length })}
          </chakra.span>
          <Button
            size="xs"
            variant="outline"
            colorPalette="gray"
            pending={dismiss.isPending}
            onClick={() => dismiss.mutate()}
          >
            {t('steps.dismiss')}
          </Button>
        </Flex>
      }
    >
      <Panel>
        <chakra.ol css={{ '& > li + li': { borderTopWidth: '1px', borderColor: 'border.muted' } }}>
          {steps.map((step) => (
            <StepRow key={step.text} step={step} />
          ))}
        </chakra.ol>
      </Panel>
    </Section>
  );
}

function StepRow({ step: { isDone, text, to } }: { step: Step }) {
  const { t } = useTranslation('home');
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <chakra.li display="flex" gap="3" px="5" py="3">
      <Box color={isDone ? 'fg.success' : 'fg.subtle'} pt="0.5" flexShrink="0">
        <Icon size={18} aria-hidden />
      </Box>
      <Box minW="0">
        <VisuallyHidden>{t(isDone ? 'steps.done' : 'steps.open')}: </VisuallyHidden>
        {isDone ? (
          <chakra.span color="fg.muted">{t(`steps.${text}`)}</chakra.span>
        ) : (
          <Link to={to}>{t(`steps.${text}`)}</Link>
        )}
        {!isDone && (
          <chakra.p fontSize="xs" color="fg.muted">
            {t(`steps.${text}Help`)}
          </chakra.p>
        )}
      </Box>
    </chakra.li>
  );
}
