import {
  BadgeCheck,
  BellRing,
  Building2,
  CalendarDays,
  ChartColumn,
  ClipboardCheck,
  Database,
  FileClock,
  FolderDown,
  History,
  House,
  KeyRound,
  Layers,
  type LucideIcon,
  PackageCheck,
  ShieldCheck,
  ShieldUser,
  SlidersHorizontal,
  Store,
  UserCog,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { shell } from '../i18n/ja/shell.ts';
import { collectionsPath } from '../lib/database-key.ts';
import type { Call } from '../lib/session/calls.ts';
import type { SessionKind } from '../lib/session/session-store.ts';

const ApprovalsWaiting = lazy(async () => ({
  default: (await import('../features/partner/approvals/approvals-waiting.tsx')).ApprovalsWaiting,
}));

export interface NavEntry {
  readonly to: string;
  readonly label: keyof typeof shell.nav;
  readonly icon: LucideIcon;
  /** Left out for who may not make this call. */
  readonly needs?: Call;
  /** How much there waits to be done, which comes after the first screen. */
  readonly waiting?: LazyExoticComponent<ComponentType>;
  /** For administrators of a unit; those of the platform have it among what belongs to each unit. */
  readonly ofUnit?: true;
}

export interface NavArea {
  readonly label?: keyof typeof shell.area;
  readonly entries: readonly NavEntry[];
}

/** The side navigation and the cards of the home page, in this order. */
export const navigation: Readonly<Record<SessionKind, readonly NavArea[]>> = {
  admin: [
    { entries: [{ to: '/admin/menu', label: 'home', icon: House }] },
    {
      label: 'tenants',
      entries: [
        { to: '/admin/outsourcing', label: 'units', icon: Layers, needs: 'listUnits' },
        { to: '/admin/partners', label: 'partners', icon: Building2, needs: 'listPartners' },
        {
          to: '/admin/outsourcing/admins',
          label: 'unitAdmins',
          icon: UserCog,
          needs: 'listUnitAdmins',
          ofUnit: true,
        },
        { to: '/admin/databases', label: 'databases', icon: Database, needs: 'listDatabases' },
      ],
    },
    {
      label: 'distribution',
      entries: [
        { to: '/admin/applications', label: 'applications', icon: PackageCheck, needs: 'listApplications' },
        {
          to: '/admin/sales-applications',
          label: 'salesApplications',
          icon: Store,
          needs: 'listApplications',
        },
      ],
    },
    {
      label: 'records',
      entries: [
        { to: '/admin/license-logs', label: 'licenceLogs', icon: FileClock, needs: 'listLicenceChanges' },
        {
          to: '/admin/operation-logs',
          label: 'operationLogs',
          icon: History,
          needs: 'listAllOperationLogs',
        },
      ],
    },
    {
      label: 'settings',
      entries: [
        { to: '/admin/admins', label: 'platformAdmins', icon: ShieldUser, needs: 'listAdmins' },
        {
          to: '/admin/certification',
          label: 'certifications',
          icon: BadgeCheck,
          needs: 'getOperatorCertification',
        },
        {
          to: '/admin/security',
          label: 'security',
          icon: ShieldCheck,
          needs: 'getPlatformSecuritySettings',
        },
      ],
    },
  ],
  partner: [
    { entries: [{ to: '/partner/menu', label: 'home', icon: House }] },
    {
      label: 'distribution',
      entries: [
        { to: '/partner/files', label: 'files', icon: FolderDown, needs: 'listFiles' },
        { to: '/partner/calendar', label: 'calendar', icon: CalendarDays, needs: 'getCalendar' },
        {
          to: '/partner/push-notifications',
          label: 'pushNotifications',
          icon: BellRing,
          needs: 'listNotifications',
        },
        {
          to: '/partner/approvals',
          label: 'approvals',
          icon: ClipboardCheck,
          needs: 'listApprovals',
          waiting: ApprovalsWaiting,
        },
      ],
    },
    {
      label: 'people',
      entries: [
        { to: '/partner/users', label: 'users', icon: UserRound, needs: 'listUsers' },
        { to: '/partner/groups', label: 'groups', icon: UsersRound, needs: 'listGroups' },
      ],
    },
    {
      label: 'company',
      entries: [
        { to: '/partner/summary', label: 'summary', icon: ChartColumn, needs: 'getSummary' },
        {
          to: '/partner/admins',
          label: 'companyAdmins',
          icon: ShieldUser,
          needs: 'listCompanyAdmins',
        },
        {
          to: '/partner/certifications',
          label: 'certifications',
          icon: BadgeCheck,
          needs: 'getCertification',
        },
        { to: collectionsPath, label: 'documents', icon: Database, needs: 'listCollections' },
        { to: '/partner/sso', label: 'sso', icon: KeyRound, needs: 'getSso' },
        {
          to: '/partner/delivery_settings',
          label: 'deliverySettings',
          icon: SlidersHorizontal,
          needs: 'getDeliverySettings',
        },
        { to: '/partner/security', label: 'security', icon: ShieldCheck, needs: 'getSecuritySettings' },
        {
          to: '/partner/operation-logs',
          label: 'operationLogs',
          icon: History,
          needs: 'listOperationLogs',
        },
      ],
    },
  ],
};
