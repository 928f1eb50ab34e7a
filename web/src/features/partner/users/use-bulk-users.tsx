import { userRoutes } from '@portal/contracts';
import { Mail, UserMinus, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Asked, useAsking } from '../../../components/asking.tsx';
import { type Chosen, chosenOf, countOf, selectionOf } from '../../../components/chosen.ts';
import { useTenant } from '../../../components/tenant.ts';
import { useDeletion } from '../../../components/use-deletion.tsx';
import type { UserFilter } from '../../../components/users/use-user-list.ts';
import type { UserDetail } from '../../../components/users/user.ts';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import type { Selection } from '../../../lib/list/use-selection.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import type { BulkAction } from '../../../ui/list/bulk-bar.tsx';
import { ChangeGroups } from './change-groups.tsx';
import { DeleteUsers } from './delete-users.tsx';
import { SetupMails } from './setup-mails.tsx';

interface BulkUsers {
  readonly actions: readonly BulkAction[];
  /** Asks before one user is deleted. */
  readonly askToDelete: (user: UserDetail) => void;
  /** The dialogs of all of them. */
  readonly dialogs: ReactNode;
}

/** What can be done with the users who are selected in a list, `csv` among it. */
export function useBulkUsers(
  users: readonly UserDetail[] | undefined,
  selection: Selection,
  filter: UserFilter,
  csv: BulkAction,
): BulkUsers {
  const { t } = useTranslation(['users', 'groups', 'ui']);
  const { number } = useFormat();
  const api = useApi();
  const may = useMay();
  const { id: pid } = useTenant();
  const deletion = useDeletion(users, selection);
  const asking = useAsking<{ what: 'add' | 'remove' | 'mail'; chosen: Chosen<UserDetail> }>();
  const ask = (what: 'add' | 'remove' | 'mail') => () => {
    const chosen = chosenOf(users, selection);
    if (countOf(chosen) > 0) asking.ask({ what, chosen });
  };

  return {
    actions: [
      ...(may('changeUsersGroups')
        ? [
            { label: t('groups:members.addSelected'), icon: <UserPlus />, onPress: ask('add') },
            { label: t('groups:members.remove'), icon: <UserMinus />, isLoss: true, onPress: ask('remove') },
          ]
        : []),
      ...(may('sendSetupMails')
        ? [{ label: t('setupMails.send'), icon: <Mail />, onPress: ask('mail') }]
        : []),
      csv,
      ...(may('deleteUsers') ? [deletion.action] : []),
    ],
    askToDelete: deletion.ask,
    dialogs: (
      <>
        <Asked asking={asking}>
          {({ chosen, what }) => {
            const dialog = { chosen, filter, onClose: asking.close, onDone: selection.clear };
            return what === 'mail' ? <SetupMails {...dialog} /> : <ChangeGroups {...dialog} way={what} />;
          }}
        </Asked>
        <Asked asking={deletion.asking}>
          {({ matching, rows }) => (
            <DeleteUsers
              users={rows}
              matching={
                matching === undefined
                  ? undefined
                  : {
                      count: matching,
                      remove: () =>
                        api.call(userRoutes.deleteUsers, {
                          params: { pid },
                          body: selectionOf({ matching, rows }, filter),
                        }),
                      text: t('deleteMatching', { count: number(matching) }),
                    }
              }
              onClose={deletion.asking.close}
              onDeleted={selection.clear}
            />
          )}
        </Asked>
      </>
    ),
  };
}
