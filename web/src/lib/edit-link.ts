/** The address of an edit page or of a later step of it: `id` of the record, `pn` the partner's name for display. */
export function editLink(path: string, id: number, partnerName: string): string {
  return `${path.replace(/\/$/, '')}/?id=${id}&pn=${encodeURIComponent(partnerName)}`;
}

/** The `id` of the address, or another of its ids; 0, which no record has, if it is not an id. */
export function idOf(params: URLSearchParams, name = 'id'): number {
  const id = Number(params.get(name));
  return Number.isInteger(id) && id > 0 ? id : 0;
}
