import { findMailSending } from '@portal/contracts/internal';
import { AppError, isUnavailable } from '@portal/kernel';
import type { Peers } from '@portal/service-kit';

/**
 * Throws `E40036` where no mail is sent at all, whoever it is for. A mail that is requested while the mail service is down waits
 * for it.
 */
export async function requireMails({ peers }: { readonly peers: Peers }): Promise<void> {
  try {
    const { sends } = await peers.call(findMailSending, {});
    if (!sends) throw new AppError('E40036');
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}
