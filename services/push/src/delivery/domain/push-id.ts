import { hash } from 'node:crypto';

/** Of this product's pushes, as 16 bytes; chosen once. */
const namespace = Buffer.from('6f0f2f526f0b4a549c0e0f1b0a6b8a3d', 'hex');

/** The id of a notification for one device, a UUIDv5: the same at each try, so that a phone shows it once. */
export function pushIdOf(notificationId: number, uuid: string): string {
  const name = Buffer.from(`${notificationId} ${uuid}`);
  const bytes = hash('sha1', Buffer.concat([namespace, name]), 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
