import { editLink } from '../lib/edit-link.ts';

export const partnerListPath = '/admin/partners';
export const partnerDetailPath = '/admin/partners/detail';

export function partnerDetailLink({ id, name }: { id: number; name: string }): string {
  return editLink(partnerDetailPath, id, name);
}
