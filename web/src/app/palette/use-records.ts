import {
  administratorRoutes,
  applicationRoutes,
  companyAdminRoutes,
  fileRoutes,
  pushRoutes,
  tenantRoutes,
  userRoutes,
} from '@portal/contracts';
import { fileDetailPath } from '../../components/files/file.ts';
import { groupDetailPath } from '../../components/groups/group.ts';
import { partnerDetailLink } from '../../components/partner-links.ts';
import { unitLink } from '../../components/unit-links.ts';
import { userDetailPath } from '../../components/users/user.ts';
import { applicationPaths } from '../../features/admin/applications/application-paths.ts';
import { adminPaths } from '../../features/partner/admins/admin-paths.ts';
import { notificationPaths } from '../../features/partner/push-notifications/notification-paths.ts';
import { useApiQuery } from '../../lib/api.ts';
import { editLink } from '../../lib/edit-link.ts';
import type { Session } from '../../lib/session/session-store.ts';
import { useMay } from '../../lib/session/use-session.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { type Command, matching } from './use-commands.ts';

const perPage = 5;

interface Found {
  readonly kind:
    | 'files'
    | 'users'
    | 'groups'
    | 'notifications'
    | 'companyAdmins'
    | 'partners'
    | 'units'
    | 'applications'
    | 'admins';
  readonly commands: readonly Command[];
}

/**
 * What the server finds for what is typed, as far as the caller may list it: files, users, groups, push notifications and company
 * admins, for administrators companies, units, applications and administrators of the platform or of their own unit.
 */
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
  const notifications = useApiQuery(pushRoutes.listNotifications, of, {
    enabled: isAsked && isPartner && may('listNotifications'),
  });
  const companyAdmins = useApiQuery(companyAdminRoutes.listCompanyAdmins, of, {
    enabled: isAsked && isPartner && may('listCompanyAdmins'),
  });
  const partners = useApiQuery(
    tenantRoutes.listPartners,
    { query: { q, page: 1, perPage } },
    { enabled: isAsked && !isPartner && may('listPartners') },
  );
  const units = useApiQuery(
    tenantRoutes.listUnits,
    { query: { q, page: 1, perPage } },
    { enabled: isAsked && !isPartner && may('listUnits') },
  );
  const applications = useApiQuery(
    applicationRoutes.listApplications,
    { query: { q, page: 1, perPage } },
    { enabled: isAsked && !isPartner && may('listApplications') },
  );
  const admins = useApiQuery(
    administratorRoutes.listAdmins,
    { query: { q, page: 1, perPage } },
    { enabled: isAsked && !isPartner && may('listAdmins') },
  );
  const ownUnitId = session.kind === 'admin' ? session.unitId : null;
  const unitAdmins = useApiQuery(
    administratorRoutes.listUnitAdmins,
    { params: { unitId: ownUnitId ?? 0 } },
    { enabled: isAsked && ownUnitId !== null && may('listUnitAdmins') },
  );
  const queries = [
    files,
    users,
    groups,
    notifications,
    companyAdmins,
    partners,
    units,
    applications,
    admins,
    unitAdmins,
  ];
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
      kind: 'notifications',
      commands: (notifications.data?.pushNotifications ?? []).map(({ id, message, title }) => ({
        id: `notification ${id}`,
        // As the list shows what has no title.
        text: title || message,
        hint: title ? message : undefined,
        to: to(notificationPaths.detail, id),
      })),
    },
    {
      kind: 'companyAdmins',
      commands: (companyAdmins.data?.admins ?? []).map(({ email, id, loginUserId, name }) => ({
        id: `company admin ${id}`,
        text: name,
        hint: email ?? loginUserId ?? undefined,
        to: to(adminPaths.edit.form, id),
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
    {
      kind: 'units',
      commands: (units.data?.units ?? []).map(({ unitId, unitName }) => ({
        id: `unit ${unitId}`,
        text: unitName,
        to: unitLink({ id: unitId, name: unitName }),
      })),
    },
    {
      kind: 'applications',
      commands: (applications.data?.applications ?? []).map(({ fileName, id, name }) => ({
        id: `application ${id}`,
        text: name,
        hint: fileName,
        to: `${applicationPaths.detail}?id=${id}`,
      })),
    },
    {
      kind: 'admins',
      commands: [
        ...(admins.data?.admins ?? []).map(({ email, id, name }) => ({
          id: `admin ${id}`,
          text: name,
          hint: email,
          to: `/admin/admins/edit/?id=${id}`,
        })),
        ...matching(
          (unitAdmins.data?.admins ?? []).map(({ adminEmail, adminId, adminName }) => ({
            id: `admin ${adminId}`,
            text: adminName,
            hint: adminEmail,
            to: `/admin/outsourcing/admins/edit/?id=${adminId}`,
          })),
          q,
        ).slice(0, perPage),
      ],
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
