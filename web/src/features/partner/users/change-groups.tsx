import { chakra } from '@chakra-ui/react';
import { type RouteRequest, userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Chosen, countOf, selectionOf } from '../../../components/chosen.ts';
import { ChooseGroupsDialog } from '../../../components/groups/choose-groups-dialog.tsx';
import { membershipRoutes } from '../../../components/groups/membership-routes.ts';
import { useNumberChanged } from '../../../components/use-number-changed.ts';
import type { UserFilter } from '../../../components/users/use-user-list.ts';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';

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
  const { t } = useTranslation('groups');
  const { number } = useFormat();
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const isNumberChanged = useNumberChanged(stale, onDone);

  const change = useAction({
    mutationFn(groupIds: readonly number[]): Promise<{ count: number }> {
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
    <ChooseGroupsDialog
      title={t(`bulk.${way}Title`)}
      applyLabel={t(way === 'add' ? 'members.addSelected' : 'members.remove')}
      isLoss={way === 'remove'}
      pending={change.isPending}
      onApply={change.mutate}
      onClose={onClose}
    >
      <chakra.p mb="3">{t(`bulk.${way}Text`, { count: number(countOf(chosen)) })}</chakra.p>
    </ChooseGroupsDialog>
  );
}
