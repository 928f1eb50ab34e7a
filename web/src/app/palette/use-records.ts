import { fileRoutes, tenantRoutes, userRoutes } from '@portal/contracts';
import { useEffect, useState } from 'react';
import { fileDetailPath } from '../../components/files/file.ts';
import { groupDetailPath } from '../../components/groups/group.ts';
import { partnerDetailLink } from '../../components/partner-links.ts';
import { userDetailPath } from '../../components/users/user.ts';
import { useApiQuery } from '../../lib/api.ts';
import { editLink } from '../../lib/edit-link.ts';
import type { Session } from '../../lib/session/session-store.ts';
import { useMay } from '../../lib/session/use-session.ts';
import type { Command } from './use-commands.ts';

/** Milliseconds without a key before the server is asked. */
const patience = 200;
const perPage = 5;

/** `value` once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patience);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface Found {
  readonly kind: 'files' | 'users' | 'groups' | 'partners';
  readonly commands: readonly Command[];
}

/** The files, users and groups, for administrators the companies, that the server finds for what is typed, as far as the caller may list them. */
export function useRecords(session: Session, typed: string) {
  const may = useMay();
  const wanted = typed.trim();
  const q = useSettled(wanted);
  // What was found for the text before is shown no more: Enter would open what nobody has asked for.
  const isAsked = q !== '' && q === wanted;
  const isPartner = session.kind === 'partner';
  const pid = isPartner ? session.partner.id : 0;
  const of = { params: { pid }, query: { q, page: 1, perPage } };
  const files = useApiQuery(fileRoutes.listFiles, of, { enabled: isAsked && isPartner && may('listFiles') });
  const users = useApiQuery(userRoutes.listUsers, of, { enabled: isAsked && isPartner && may('listUsers') });
  const groups = useApiQuery(userRoutes.listGroups, of, {
    enabled: isAsked && isPartner && may('listGroups'),
  });
  const partners = useApiQuery(
    tenantRoutes.listPartners,
    { query: { name: q, page: 1, perPage } },
    { enabled: isAsked && !isPartner && may('listPartners') },
  );
  const queries = [files, users, groups, partners];
  const to = (path: string, id: number) => editLink(path, id, isPartner ? session.partner.name : '');
  const found: readonly Found[] = [
    {
      kind: 'files',
      commands: (files.data && 'totalCount' in files.data ? files.data.files : []).map((file) => ({
        id: `file ${file.id}`,
        text: file.name,
        hint: file.fileName,
        to: to(fileDetailPath, file.id),
      })),
    },
    {
      kind: 'users',
      commands: (users.data && 'totalCount' in users.data ? users.data.users : []).map((user) => ({
        id: `user ${user.id}`,
        text: user.name,
        hint: user.email ?? user.loginUserId ?? undefined,
        to: to(userDetailPath, user.id),
      })),
    },
    {
      kind: 'groups',
      commands: (groups.data?.groups ?? []).map(({ id, name }) => ({
        id: `group ${id}`,
        text: name,
        to: to(groupDetailPath, id),
      })),
    },
    {
      kind: 'partners',
      commands: (partners.data && 'totalCount' in partners.data ? partners.data.partners : []).map(
        (partner) => ({
          id: `partner ${partner.id}`,
          text: partner.name,
          hint: partner.partnerCode,
          to: partnerDetailLink(partner),
        }),
      ),
    },
  ];
  return {
    found: isAsked ? found : [],
    isSearching: q !== wanted || queries.some(({ isFetching }) => isFetching),
    error: isAsked ? queries.find(({ error }) => error)?.error : undefined,
    retry: () => {
      for (const { error, refetch } of queries) if (error) void refetch();
    },
  };
}
