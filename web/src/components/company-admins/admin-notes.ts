import type { LicenseType } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import type { CompanyAdminValues } from './admin-rules.ts';

/** What the completion tells of a new company admin besides. */
type Note = 'passwordMailed' | 'asUser';

export const notesOfAdmin = ({ createUserFlag, password }: CompanyAdminValues): Note[] => [
  ...(password === '' ? (['passwordMailed'] as const) : []),
  ...(createUserFlag ? (['asUser'] as const) : []),
];

/** A user takes a licence where licences count users; not said where it is not known what they count. */
export function useAdminNote(licenseType: LicenseType | undefined): (note: string) => string {
  const { t } = useTranslation('companyAdmins');
  const asUser = licenseType === 'user' ? 'licenceTaken' : 'madeUser';
  return (note) => t(note === ('asUser' satisfies Note) ? asUser : 'passwordMailed');
}
