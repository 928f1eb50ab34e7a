import { errorCatalogue } from '@portal/contracts';
import { useLanguage } from '../lib/i18n.ts';

/** What a refused call would say; it loads when it is told, because the texts of all messages come with it. */
export function LicenceEnded() {
  return errorCatalogue.E40302[useLanguage()];
}
