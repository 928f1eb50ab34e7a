import { daysUntil } from '../licence-end.tsx';

/** Days before its end from which a certificate is worth a look. */
const soon = 30;

type CertificateState = 'over' | 'endsSoon' | 'running';

export function certificateStateOf(expiresAt: string, now = new Date()): CertificateState {
  const end = new Date(expiresAt);
  if (end <= now) return 'over';
  return daysUntil(end, now) <= soon ? 'endsSoon' : 'running';
}
