import { Badge, Box, chakra, Flex } from '@chakra-ui/react';
import { pushLimits } from '@portal/contracts';
import { Check, UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useUserColumns } from '../../../components/users/use-user-columns.tsx';
import { useUserFilters } from '../../../components/users/use-user-filters.ts';
import { type UserOrderKey, useUserList } from '../../../components/users/use-user-list.ts';
import type { UserDetail } from '../../../components/users/user.ts';
import { LoginBelow, loginOf } from '../../../components/users/user-parts.tsx';
import { useFormat } from '../../../lib/format.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { RowButton } from '../../../ui/list/row-actions.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { notificationPaths } from './notification-paths.ts';
import type { ChosenUser, NotificationValues } from './notification-rules.ts';

/** Everyone in the company, page by page as the server finds them, to choose whom a notification goes to. */
export function NotificationUsersPage() {
  const { values } = useFlow<NotificationValues>();
  const toForm = useFormAddress();
  // Without a form that was begun there is nothing to choose for.
  return values ? <Picker values={values} toForm={toForm} /> : <Navigate to={toForm} replace />;
}

/** The form that led here, without what the list has put into the address. */
function useFormAddress(): string {
  const [params] = useSearchParams();
  const id = params.get('id');
  if (id === null) return notificationPaths.create.form;
  const kept = new URLSearchParams({ id, pn: params.get('pn') ?? '' });
  return `${notificationPaths.edit.form}?${kept.toString()}`;
}

function Picker({ toForm, values }: { values: NotificationValues; toForm: string }) {
  const { t } = useTranslation(['pushNotifications', 'users', 'shell', 'ui']);
  const { number } = useFormat();
  const flow = useFlow<NotificationValues>();
  const { announce } = useAnnouncer();
  const common = useUserColumns();
  const selection = useSelection();
  const users = useUserList();
  const [chosen, setChosen] = useState<readonly ChosenUser[]>(values.users);

  const isChosen = ({ id }: { id: number }) => chosen.some((one) => one.id === id);
  function keep(next: readonly ChosenUser[]): void {
    setChosen(next);
    flow.draft({ ...values, users: next }, true);
    announce(t('chosen', { count: number(next.length), most: number(pushLimits.maxUsers) }));
  }
  const add = (rows: readonly UserDetail[]) =>
    keep(
      [
        ...chosen,
        ...rows.filter((row) => !isChosen(row)).map((row) => ({ id: row.id, loginId: loginOf(row) })),
      ].slice(0, pushLimits.maxUsers),
    );
  const remove = (user: { id: number }) => keep(chosen.filter(({ id }) => id !== user.id));

  const columns: readonly Column<UserDetail, UserOrderKey>[] = [
    common.id,
    {
      id: 'name',
      header: t('users:name'),
      cell: (user) => (
        <>
          <chakra.span overflowWrap="anywhere">{user.name}</chakra.span>
          <Box hideFrom="xl">
            <LoginBelow user={user} />
          </Box>
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    common.email,
    common.loginUserId,
    {
      id: 'chosen',
      header: t('choice'),
      cell: (user) =>
        isChosen(user) ? (
          <Badge colorPalette="success">
            <Check size={12} aria-hidden /> {t('isChosen')}
          </Badge>
        ) : (
          t('ui:none')
        ),
      width: '8rem',
      onCard: true,
    },
  ];

  return (
    <>
      <PageHeader
        title={t('usersTitle')}
        crumbs={[
          { label: t('shell:home'), to: '/partner/menu' },
          { label: t('title'), to: notificationPaths.list },
          { label: t('usersTitle') },
        ]}
        action={<ButtonLink to={toForm}>{t('usersDone')}</ButtonLink>}
      />
      <Panel p="4" mb="4">
        <Flex justify="space-between" gap="3" wrap="wrap" align="center">
          <chakra.p fontWeight="medium">
            {t('chosen', { count: number(chosen.length), most: number(pushLimits.maxUsers) })}
          </chakra.p>
          {chosen.length > 0 && (
            <Button size="xs" variant="ghost" colorPalette="gray" onClick={() => keep([])}>
              {t('removeAll')}
            </Button>
          )}
        </Flex>
        {chosen.length > 0 && <ChosenUsers chosen={chosen} onRemove={remove} />}
      </Panel>
      <ListFilters list={users.list} searchFor={t('users:searchFor')} filters={useUserFilters()} />
      <ListView
        caption={t('usersTitle')}
        list={users.list}
        query={users.query}
        page={users.reply}
        rows={users.reply?.users}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selection={selection}
        isSelectable={(user) => !isChosen(user)}
        bulkActions={[
          {
            label: t('add'),
            icon: <UserPlus />,
            onPress() {
              add(users.reply?.users.filter(({ id }) => selection.has(id)) ?? []);
              selection.clear();
            },
          },
        ]}
        rowActions={(user) =>
          isChosen(user) ? (
            <RowButton
              action={t('remove')}
              name={user.name}
              icon={<UserMinus />}
              onClick={() => remove(user)}
            />
          ) : (
            <RowButton action={t('add')} name={user.name} icon={<UserPlus />} onClick={() => add([user])} />
          )
        }
        emptyTitle={t('users:emptyTitle')}
        emptyText={t('users:emptyText')}
      />
    </>
  );
}

/** So many have a button of their own; of the rest there is the list. */
const mostShown = 30;

function ChosenUsers({
  chosen,
  onRemove,
}: {
  chosen: readonly ChosenUser[];
  onRemove: (user: ChosenUser) => void;
}) {
  const { t } = useTranslation('pushNotifications');
  const { number } = useFormat();
  return (
    <chakra.ul display="flex" flexWrap="wrap" gap="1.5" mt="3">
      {chosen.slice(0, mostShown).map((user) => (
        <li key={user.id}>
          <Button
            size="xs"
            variant="outline"
            colorPalette="gray"
            aria-label={t('removeOf', { name: user.loginId })}
            icon={<UserMinus />}
            onClick={() => onRemove(user)}
          >
            <chakra.span maxW="14rem" truncate>
              {user.loginId}
            </chakra.span>
          </Button>
        </li>
      ))}
      {chosen.length > mostShown && (
        <chakra.li alignSelf="center" color="fg.muted">
          {t('more', { count: number(chosen.length - mostShown) })}
        </chakra.li>
      )}
    </chakra.ul>
  );
}
