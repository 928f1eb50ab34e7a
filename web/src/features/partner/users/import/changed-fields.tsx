import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { type RouteReply, userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';

type Field = RouteReply<typeof userRoutes.listUserImportChanges>['changes'][number]['fields'][number];

/** A person may be in a thousand groups. */
const groupsShown = 10;

/** Field by field what a person is created with, or what changes from what to what. */
export function ChangedFields({ fields, kind }: { fields: readonly Field[]; kind: 'created' | 'changed' }) {
  const { t } = useTranslation(['userImport', 'users']);
  const nameOfField = useFieldNames();
  const valueOf = useFieldValues();
  // The name and the login of a new person stand beside.
  const shown = kind === 'created' ? fields.filter(({ field }) => !isNamed(field)) : fields;
  if (shown.length === 0) return <chakra.span color="fg.muted">{t('whom.nothingMore')}</chakra.span>;
  return (
    <chakra.ul display="grid" gap="1">
      {shown.map(({ after, before, field }) => (
        <li key={field}>
          <chakra.span color="fg.muted" fontSize="xs" me="1.5">
            {nameOfField(field)}
          </chakra.span>{' '}
          {field === 'password' ? (
            t(kind === 'created' ? 'whom.passwordGiven' : 'users:passwordChanged')
          ) : (
            <>
              {kind === 'changed' && (
                <>
                  <chakra.del color="fg.muted">{valueOf(field, before)}</chakra.del>
                  <chakra.span aria-hidden mx="1.5">
                    →
                  </chakra.span>
                  <VisuallyHidden> {t('whom.becomes')} </VisuallyHidden>
                </>
              )}
              <chakra.span fontWeight={kind === 'changed' ? 'medium' : undefined}>
                {valueOf(field, after)}
              </chakra.span>
            </>
          )}
        </li>
      ))}
    </chakra.ul>
  );
}

const isNamed = (field: string) => ['name', 'email', 'login_user_id'].includes(field);

function useFieldNames(): (field: string) => string {
  const { t } = useTranslation('users');
  const names: Record<string, string> = {
    name: t('name'),
    email: t('email'),
    login_user_id: t('loginUserId'),
    password: t('password'),
    json: t('json'),
    group_ids: t('groups'),
  };
  return (field) => names[field] ?? field;
}

/** What a value is called: groups by their names, where they still have one. */
function useFieldValues(): (field: string, value: string | null) => string {
  const { t } = useTranslation('userImport');
  const format = useFormat();
  const { partner } = usePartnerSession();
  const { data, isPending } = useApiQuery(userRoutes.listGroups, {
    params: { pid: partner.id },
    query: { all: true },
  });
  const names = new Map(data?.groups.map(({ id, name }) => [String(id), name]));
  return (field, value) => {
    if (value === null) return t('whom.empty');
    if (field !== 'group_ids') return value;
    if (isPending) return '…';
    const ids = value.split(',');
    const shown = ids.slice(0, groupsShown).map((id) => names.get(id) ?? `ID ${id}`);
    const more = ids.length - shown.length;
    return [...shown, ...(more > 0 ? [t('whom.moreGroups', { count: format.number(more) })] : [])].join(', ');
  };
}
