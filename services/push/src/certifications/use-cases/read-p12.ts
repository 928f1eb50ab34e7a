import { formatDateTime, pushLimits, type pushRoutes, type RouteReply } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import type { Dependencies } from '../../dependencies.ts';
import { readCertificate } from '../domain/push-certificate.ts';

/**
 * What is in a PKCS#12 file.
 * @throws AppError `E40002` on `p12` for what is none, is too large, or has not exactly one RSA key with its certificate, and on
 *   `password` for a wrong one; `E50301` while too many are read
 */
export async function readP12(
  { p12Reader }: Pick<Dependencies, 'p12Reader'>,
  asker: string,
  { p12, password }: { readonly p12: string; readonly password?: string | null | undefined },
): Promise<RouteReply<typeof pushRoutes.readP12>> {
  const bytes = bytesOf(p12);
  if (!bytes) throw fieldError('E40002', 'p12', 'invalidP12');
  if (bytes.length > pushLimits.maxP12Size) throw fieldError('E40002', 'p12', 'fileTooLarge');
  const opened = await p12Reader.read(asker, bytes, password ?? '');
  if ('wrong' in opened)
    throw opened.wrong === 'password'
      ? fieldError('E40002', 'password', 'wrongP12Password')
      : fieldError('E40002', 'p12', 'invalidP12');
  const read = await readCertificate(opened.certificate);
  if (!read) throw fieldError('E40002', 'p12', 'invalidP12');
  const { expiresAt, subject, topic } = read;
  return { ...opened, topic, subject, certificateExpiresAt: formatDateTime(expiresAt) };
}

/** Undefined for what is no base64. */
function bytesOf(base64: string): Buffer | undefined {
  const text = base64.replaceAll(/\s/g, '');
  return text !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
