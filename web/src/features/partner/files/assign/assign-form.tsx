import { chakra, Flex, Stack } from '@chakra-ui/react';
import { fileRoutes } from '@portal/contracts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { ConfirmChange } from '../../../../components/effect/confirm-change.tsx';
import { useChange } from '../../../../components/effect/use-change.ts';
import { useTwoPeopleDecide } from '../../../../components/effect/use-two-people-decide.ts';
import { type FileDetail } from '../../../../components/files/file.ts';
import type { PickableGroup } from '../../../../components/groups/group-picker.tsx';
import { faultsOf, initialPlan, rolloutBody } from '../../../../components/rollout/plan-values.ts';
import { usePlanWords } from '../../../../components/rollout/plan-words.ts';
import { RolloutChoice } from '../../../../components/rollout/rollout-choice.tsx';
import { useApi } from '../../../../lib/api.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useUnsavedWork } from '../../../../lib/unsaved-work.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { useAnnouncer } from '../../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { NameList } from '../../../../ui/feedback/name-list.tsx';
import { FormSection } from '../../../../ui/form/form.tsx';
import { type AudienceKind, fileListPath } from '../file-flows.ts';
import { useFilesChanged } from '../use-files-changed.ts';
import { useAudienceKinds } from '../use-may-distribute.ts';
import { AudienceChoice, everyone, groupIdsOf } from './audience-choice.tsx';
import { NoticeChoice, type Notices, useNoticeNames } from './notice-choice.tsx';

interface AssignFormProps {
  file: FileDetail;
  groups: readonly PickableGroup[];
  /** Its version goes out in stages, which are not done. */
  hasStages: boolean;
}

/** Which groups get the file. Nothing is sent before a dialog has named them. */
export function AssignForm({ file, groups, hasStages }: AssignFormProps) {
  const { t } = useTranslation(['files', 'rollout', 'ui']);
  const planWords = usePlanWords();
  const api = useApi();
  const filesChanged = useFilesChanged();
  const navigate = useNavigate();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();

  const hasEveryone = file.groups.some(({ id }) => id === everyone);
  const kinds = useAudienceKinds(['everyone', 'groups'], hasEveryone);
  const [to, setTo] = useState<AudienceKind>(hasEveryone ? 'everyone' : 'groups');
  const [chosen, setChosen] = useState<readonly number[]>(() =>
    file.groups.map(({ id }) => id).filter((id) => groups.some((group) => group.id === id)),
  );
  const [plan, setPlan] = useState(() => initialPlan(hasStages ? 'keep' : 'atOnce'));
  const [isChecked, setIsChecked] = useState(false);
  const [notices, setNotices] = useState<Notices>({ notifyEmail: false, notifyPush: false });
  const namesOfNotices = useNoticeNames();
  const [asking, setAsking] = useState(false);
  const twoPeopleDecide = useTwoPeopleDecide();

  // A group that has gone meanwhile can't be seen, so it can't be meant.
  const present = chosen.filter((id) => groups.some((group) => group.id === id));
  const groupIds = groupIdsOf(to, present);
  const input = JSON.stringify({ groupIds, notices, plan });
  const saved = useRef(input);
  useUnsavedWork(() => input !== saved.current);

  const nameOf = (id: number) =>
    id === everyone ? t('everyone') : groups.find((group) => group.id === id)?.title;
  const namesOf = (ids: readonly number[]) => ids.flatMap((id) => nameOf(id) ?? []);
  const named = namesOf(groupIds);
  const before = file.groups.map(({ id, name }) => nameOf(id) ?? name);

  const body = { groupIds, ...notices, ...rolloutBody(plan, hasStages) };
  const assign = useChange({
    asked: asking ? { fileId: file.id, change: { what: 'groups', body } } : undefined,
    apply: (previewToken) =>
      api.call(fileRoutes.assignGroups, {
        params: { pid: partner.id, id: file.id },
        body: { ...body, previewToken },
      }),
    async onDone() {
      toast({ tone: 'success', message: t('assignPage.done', { name: file.name }) });
      await leave();
    },
    onSent: leave,
    onError(error) {
      setAsking(false);
      showError(error);
    },
  });

  async function leave(): Promise<void> {
    saved.current = input;
    await filesChanged();
    await navigate(fileListPath);
  }

  return (
    <chakra.form
      maxW="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsChecked(true);
        if (!faultsOf(plan)) setAsking(true);
      }}
    >
      <Stack gap="5">
        <FormSection>
          <AudienceChoice
            kinds={kinds}
            to={to}
            onTo={setTo}
            groups={groups}
            chosen={present}
            onChosen={setChosen}
          />
        </FormSection>
        {!file.application && (
          <FormSection>
            <RolloutChoice
              name="rollout"
              label={t('rollout:how')}
              offered={hasStages ? ['keep', 'atOnce'] : ['atOnce', 'stages']}
              values={plan}
              onChange={setPlan}
              isChecked={isChecked}
            />
          </FormSection>
        )}
        <FormSection>
          <fieldset>
            <chakra.legend fontWeight="semibold">{t('assignPage.notify')}</chakra.legend>
            <chakra.p fontSize="xs" color="fg.muted" mb="1">
              {t('assignPage.notifyHelp')}
            </chakra.p>
            <NoticeChoice
              notices={notices}
              onChange={(change) => setNotices((before) => ({ ...before, ...change }))}
            />
          </fieldset>
        </FormSection>
        <Flex gap="2" wrap="wrap">
          <Button type="submit" size="md" minW="8rem">
            {t('assignPage.submit')}
          </Button>
          <ButtonLink to={fileListPath} size="md" variant="outline" colorPalette="gray">
            {t('ui:cancel')}
          </ButtonLink>
        </Flex>
      </Stack>
      <ConfirmChange
        open={asking}
        title={t('assignPage.confirmTitle')}
        confirmLabel={t('assignPage.apply')}
        tone={named.length === 0 ? 'danger' : 'accent'}
        change={assign}
        waits={twoPeopleDecide}
        onCancel={() => setAsking(false)}
      >
        {named.length === 0 ? (
          t('assignPage.confirmNone', { name: file.name })
        ) : (
          <>
            {t('assignPage.confirmText', { name: file.name })}
            <NameList label={t('assignPage.groupsAfter')} names={named} />
            {(hasStages || plan.way === 'stages') && (
              <chakra.p mt="3" whiteSpace="pre-line">
                {`${t('rollout:how')}: ${planWords(plan)}`}
              </chakra.p>
            )}
            <chakra.p mt="3">{t('assignPage.confirmNotify', { notify: namesOfNotices(notices) })}</chakra.p>
          </>
        )}
        <chakra.div mt="3">
          {before.length === 0 ? t('assignPage.beforeNone') : t('assignPage.before')}
          {before.length > 0 && <NameList label={t('assignPage.before')} names={before} />}
        </chakra.div>
      </ConfirmChange>
    </chakra.form>
  );
}
