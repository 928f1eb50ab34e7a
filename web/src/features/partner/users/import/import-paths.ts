/** The pages of an import; all but the first are of the one that `id` names. */
export const importPaths = {
  form: '/partner/users/csv',
  confirm: '/partner/users/csv-confirm',
  error: '/partner/users/csv-error',
  complete: '/partner/users/csv-complete',
} as const;

export function importLink(page: Exclude<keyof typeof importPaths, 'form'>, id: number): string {
  return `${importPaths[page]}?id=${id}`;
}
