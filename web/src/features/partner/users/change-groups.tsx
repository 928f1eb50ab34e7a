import { chakra } from '@chakra-ui/react';
import { type RouteRequest, userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Chosen, countOf, selectionOf } from '../../../components/chosen.ts';
import { GroupPicker } from '../../../components/groups/group-picker.tsx';
import { membershipRoutes } from '../../../components/groups/membership-routes.ts';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { useNumberChanged } from '../../../components/use-number-changed.ts';
import type { UserFilter } from '../../../components/users/use-user-list.ts';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { ErrorState } from '../../../ui/feedback/states.tsx';

export interface BulkDialogProps {
  chosen: Chosen<{ readonly id: number }>;
  filter: UserFilter;
  onClose: () => void;
  onDone: () => void;
}

type Body = RouteRequest<typeof userRoutes.changeUsersGroups>['body'];

const stale = membershipRoutes.map(({ id }) => id);

/** Puts those who are selected into groups, or takes them out of some. */
export function ChangeGroups({
  chosen,
  filter,
  way,
  onClose,
  onDone,
}: BulkDialogProps & { way: 'add' | 'remove' }) {
  const { t } = useTranslation(['groups', 'ui']);
  const { number } = useFormat();
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const isNumberChanged = useNumberChanged(stale, onDone);
  const groups = usePickableGroups();
  const [groupIds, setGroupIds] = useState<readonly number[]>([]);

  const change = useAction({
    mutationFn(): Promise<{ count: number }> {
      const body: Body = { ...selectionOf(chosen, filter), [way]: [...groupIds] };
      return api.call(userRoutes.changeUsersGroups, { params: { pid: partner.id }, body });
    },
    async onSuccess({ count }) {
      toast({ tone: 'success', message: t(`bulk.${way}Done`, { count }) });
      onDone();
      await Promise.all(stale.map((id) => queries.invalidateQueries({ queryKey: [id] })));
    },
    onError: (error) => isNumberChanged(error) || showError(error),
    onSettled: onClose,
  });

  return (
    <Dialog
      open
      onClose={onClose}
      persistent={change.isPending}
      title={t(`bulk.${way}Title`)}
      width="34rem"
      actions={
        <>
          <Button variant="outline" colorPalette="gray" disabled={change.isPending} onClick={onClose}>
            {t('ui:cancel')}
          </Button>
          <Button
            colorPalette={way === 'remove' ? 'danger' : undefined}
            pending={change.isPending}
            disabled={groupIds.length === 0}
            onClick={() => change.mutate()}
          >
            {t(way === 'add' ? 'members.addSelected' : 'members.remove')}
          </Button>
        </>
      }
    >
      <chakra.p mb="3">{t(`bulk.${way}Text`, { count: number(countOf(chosen)) })}</chakra.p>
      {groups.error && <ErrorState error={groups.error} onRetry={groups.refetch} />}
      {groups.data && <GroupPicker groups={groups.data} chosen={groupIds} onChange={setGroupIds} />}
    </Dialog>
  );
}
