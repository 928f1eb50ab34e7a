import { createContext, use } from 'react';
import { useTranslation } from 'react-i18next';
import { editLink } from '../lib/edit-link.ts';
import { useSession } from '../lib/session/use-session.ts';
import type { Crumb } from '../ui/page/page-header.tsx';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** A company whose files, users and groups a page shows. */
export interface Tenant extends Named {
  /** The caller is signed in to it; an administrator is not. */
  readonly isOwn: boolean;
  /** From home to it. */
  readonly crumbs: readonly Crumb[];
}

/** For administrators: the company that the address names. */
export const ChosenTenant = createContext<Tenant | undefined>(undefined);

/** The company that the page is about: the one that one is signed in to, or the one that an administrator looks at. */
export function useTenant(): Tenant {
  const chosen = use(ChosenTenant);
  const session = useSession();
  if (chosen) return chosen;
  if (session?.kind !== 'partner') throw new Error('No company');
  return { id: session.partner.id, name: session.partner.name, isOwn: true, crumbs: [] };
}

/** From home to what the company holds. */
export function useTenantCrumbs(): readonly Crumb[] {
  const { t } = useTranslation('shell');
  const { crumbs, isOwn } = useTenant();
  return [{ label: t('home'), to: isOwn ? '/partner/menu' : '/admin/menu' }, ...crumbs];
}

type Held = 'files' | 'groups' | 'users';

interface TenantLinks {
  readonly toList: (of: Held, filter?: { readonly group: number }) => string;
  readonly toDetail: (of: Held, id: number) => string;
}

/** The ways among what the company holds. */
export function useTenantLinks(): TenantLinks {
  const { id: partner, isOwn, name } = useTenant();
  return isOwn
    ? {
        toList: (of, filter) => `/partner/${of}${filter ? `?group=${filter.group}` : ''}`,
        toDetail: (of, id) => editLink(`/partner/${of}/detail`, id, name),
      }
    : {
        toList: (of, filter) =>
          tenantLink(of, { id: partner, name }) + (filter ? `&group=${filter.group}` : ''),
        toDetail: (of, id) => `${editLink(`/admin/partner/${of}/detail`, id, name)}&partner=${partner}`,
      };
}

/** For administrators: what a company holds. */
export const tenantLink = (of: Held | 'certifications', { id, name }: Named): string =>
  editLink(`/admin/partner/${of}`, id, name);
