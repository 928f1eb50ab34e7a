import { editLink } from '../../../../lib/edit-link.ts';

export const fileDevicesPath = '/partner/files/devices/';

/** The devices that the numbers of a version count. */
export const countedBy = (version: number) => ({ version, targeted: 'true' });

/** The list of the devices of a file, narrowed to what a number counts. */
export function devicesLink(
  file: { readonly id: number },
  partnerName: string,
  filters: Readonly<Record<string, string | number>> = {},
): string {
  const more = Object.entries(filters).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  return editLink(fileDevicesPath, file.id, partnerName) + more.join('');
}
