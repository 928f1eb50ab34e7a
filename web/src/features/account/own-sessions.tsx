import { Badge, chakra, Flex } from '@chakra-ui/react';
import type { RouteReply, sessionRoutes } from '@portal/contracts';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwnCalls } from '../../components/account/own-account.ts';
import { useApi, useApiQuery } from '../../lib/api.ts';
import { useFormat } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';
import { DetailSkeleton, ErrorState } from '../../ui/feedback/states.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Section } from '../../ui/page/section.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';

type Session = RouteReply<typeof sessionRoutes.listPartnerSessions>['sessions'][number];

/** Where somebody is signed in, and the ends of it. */
export function OwnSessions() {
  const { t } = useTranslation('account');
  const calls = useOwnCalls();
  const query = useApiQuery(calls.sessions, {});
  const [ending, setEnding] = useState<Session | 'others'>();
  const sessions = query.data?.sessions;
  const kept = useKeptFocus<HTMLDivElement>({ items: 'li' });
  return (
    <Section
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      action={
        sessions?.some(({ current }) => !current) && (
          <Button
            variant="outline"
            colorPalette="danger"
            icon={<LogOut />}
            onClick={() => setEnding('others')}
          >
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <Panel {...kept} tabIndex={-1} outline="0">
        {sessions && (
          <chakra.ul css={{ '& > li + li': { borderTopWidth: '1px' } }}>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
            ))}
          </chakra.ul>
        )}
        {!sessions && query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {!sessions && !query.error && (
          <chakra.div px="5">
            <DetailSkeleton rows={2} />
          </chakra.div>
        )}
      </Panel>
      <EndSessions ending={ending} onClose={() => setEnding(undefined)} />
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { t } = useTranslation(['account', 'ui']);
  const { dateTime } = useFormat();
  const { address, agent, createdAt, current, kind, lastUsedAt } = session;
  const end = t('sessions.end');
  return (
    <chakra.li display="flex" alignItems="center" justifyContent="space-between" gap="4" px="5" py="3">
      <chakra.div minW="0" overflowWrap="anywhere">
        <Flex align="center" gap="2" wrap="wrap">
          <chakra.span fontWeight="semibold">{agent || t('sessions.unknown')}</chakra.span>
          {current && <Badge colorPalette="success">{t('sessions.current')}</Badge>}
          {kind === 'player' && <Badge colorPalette="gray">{t('sessions.player')}</Badge>}
        </Flex>
        <chakra.p fontSize="xs" color="fg.muted">
          {address && `${address} · `}
          {t('sessions.lastUsed', { time: dateTime(lastUsedAt) })}
          {' · '}
          {t('sessions.since', { time: dateTime(createdAt) })}
        </chakra.p>
      </chakra.div>
      {!current && (
        <Button
          variant="outline"
          colorPalette="gray"
          flexShrink="0"
          aria-label={t('ui:actionOn', { action: end, name: agent || t('sessions.unknown') })}
          onClick={onEnd}
        >
          {end}
        </Button>
      )}
    </chakra.li>
  );
}

interface EndSessionsProps {
  ending: Session | 'others' | undefined;
  onClose: () => void;
}

function EndSessions({ ending, onClose }: EndSessionsProps) {
  const { t } = useTranslation('account');
  const api = useApi();
  const calls = useOwnCalls();
  const sessions = useApiQuery(calls.sessions, {});
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const end = useAction({
    mutationFn: async () => {
      if (ending === 'others') await api.call(calls.endOthers, {});
      else if (ending) await api.call(calls.endSession, { params: { sessionId: ending.id } });
    },
    onSuccess: () =>
      toast({ tone: 'success', message: t(ending === 'others' ? 'sessions.othersEnded' : 'sessions.ended') }),
    onError: showError,
    async onSettled() {
      await sessions.refetch();
      onClose();
    },
  });
  const isOne = ending !== undefined && ending !== 'others';
  return (
    <ConfirmDialog
      open={ending !== undefined}
      title={t(isOne ? 'sessions.endTitle' : 'sessions.endOthersTitle')}
      confirmLabel={t(isOne ? 'sessions.end' : 'sessions.endOthers')}
      pending={end.isPending}
      onConfirm={() => end.mutate()}
      onCancel={onClose}
    >
      {isOne
        ? t('sessions.endText', { agent: ending.agent || t('sessions.unknown') })
        : t('sessions.endOthersText')}
    </ConfirmDialog>
  );
}
