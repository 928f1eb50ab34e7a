import { limits } from '@portal/contracts';

/** The name of the icon at the root of a package. */
export const iconName = 'icon.png';

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function isIcon(bytes: Uint8Array): boolean {
  return bytes.length <= limits.maxIconSize && pngSignature.equals(bytes.subarray(0, pngSignature.length));
}
