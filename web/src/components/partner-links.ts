import { editLink } from '../lib/edit-link.ts';

interface NamedPartner {
  readonly id: number;
  readonly name: string;
}

export const partnerListPath = '/admin/partners';
export const newPartnerPath = '/admin/partners/create';
export const partnerDetailPath = '/admin/partners/detail';
export const adminHomePath = '/admin/menu';

export const partnersOfUnitLink = (unitId: number): string => `${partnerListPath}?unitId=${unitId}`;

export function partnerDetailLink({ id, name }: NamedPartner): string {
  return editLink(partnerDetailPath, id, name);
}
