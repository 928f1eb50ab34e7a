import { editLink } from '../lib/edit-link.ts';

interface NamedPartner {
  readonly id: number;
  readonly name: string;
}

export const partnerListPath = '/admin/partners';
export const partnerDetailPath = '/admin/partners/detail';
export const adminHomePath = '/admin/menu';

export function partnerDetailLink({ id, name }: NamedPartner): string {
  return editLink(partnerDetailPath, id, name);
}
