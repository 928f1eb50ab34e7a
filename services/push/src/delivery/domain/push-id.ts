import { hash } from 'node:crypto';

/** Of this product's pushes, as 16 bytes; chosen once. */
const namespace = Buffer.from('6f0f2f526f0b4a549c0e0f1b0a6b8a3d', 'hex');

/** The id of a notification for one device, a UUIDv5: the same at each try, so that a phone shows it once. */
export function pushIdOf(notificationId: number, uuid: string): string {
  const name = `${notificationId} ${uuid}`;
  const named = Buffer.allocUnsafe(namespace.length + Buffer.byteLength(name));
  named.set(namespace);
  named.write(name, namespace.length);
  const hex = hash('sha1', named);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
