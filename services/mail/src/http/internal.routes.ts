import { findMailSending } from '@portal/contracts/internal';
import { type Implementation, implement } from '@portal/service-kit';

/** @param sends whether there is a transport */
export function internalRoutes({ sends }: { sends: boolean }): Implementation[] {
  return [implement(findMailSending, async () => ({ sends }))];
}
