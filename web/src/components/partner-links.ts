import { editLink } from '../lib/edit-link.ts';

interface NamedPartner {
  readonly id: number;
  readonly name: string;
}

export const partnerListPath = '/admin/partners';
export const newPartnerPath = '/admin/partners/create';
export const partnerEditPath = '/admin/partners/edit/';
export const adminHomePath = '/admin/menu';
export const partnerMenuPath = '/admin/partner/menu';
export const partnerBouncesPath = '/admin/partners/bounces';
export const partnerLicenceLogPath = '/admin/partners/license-logs';
export const partnerOperationLogPath = '/admin/partners/operation-logs';

export const partnersOfUnitLink = (unitId: number): string => `${partnerListPath}?unitId=${unitId}`;
export const newPartnerOfUnitLink = (unitId: number): string => `${newPartnerPath}?unitId=${unitId}`;

/** The company itself: what it uses, and the ways to all that is about it. */
export const partnerDetailLink = ({ id, name }: NamedPartner): string => editLink(partnerMenuPath, id, name);
export const partnerEditLink = ({ id, name }: NamedPartner): string => editLink(partnerEditPath, id, name);
export const partnerBouncesLink = ({ id, name }: NamedPartner): string =>
  editLink(partnerBouncesPath, id, name);
export const partnerLicenceLogLink = ({ id, name }: NamedPartner): string =>
  editLink(partnerLicenceLogPath, id, name);
export const partnerOperationLogLink = ({ id, name }: NamedPartner): string =>
  editLink(partnerOperationLogPath, id, name);
export const tenantCollectionsLink = ({ id, name }: NamedPartner): string =>
  editLink('/admin/partner/collections', id, name);
export const partnerSsoLink = ({ id, name }: NamedPartner): string =>
  editLink('/admin/partners/sso', id, name);
export const partnerAdminsLink = ({ id, name }: NamedPartner): string =>
  `/admin/partner-admins?id=${id}&pn=${encodeURIComponent(name)}`;
export const newPartnerAdminLink = ({ id, name }: NamedPartner): string =>
  `/admin/partner-admins/create?id=${id}&pn=${encodeURIComponent(name)}`;
