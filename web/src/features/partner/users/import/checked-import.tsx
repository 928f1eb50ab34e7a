import { userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../../lib/api.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Link } from '../../../../ui/link.tsx';
import { importLink } from './import-paths.ts';

const keyOf = (partnerId: number) => `portal.lastImport.${partnerId}`;

/** The browser keeps which import it has sent last: its number alone. */
export function rememberImport(partnerId: number, id: number): void {
  localStorage.setItem(keyOf(partnerId), String(id));
}

/** One that was given up is no longer offered. */
export function forgetImport(partnerId: number, id: number): void {
  if (localStorage.getItem(keyOf(partnerId)) === String(id)) localStorage.removeItem(keyOf(partnerId));
}

/** The way back to an import that was checked and waits to be applied. */
export function CheckedImport() {
  const { t } = useTranslation('userImport');
  const { partner } = usePartnerSession();
  const id = Number(localStorage.getItem(keyOf(partner.id)) ?? 0);
  const { data } = useApiQuery(
    userRoutes.getUserImport,
    { params: { pid: partner.id }, query: { batchProcessId: id } },
    { enabled: Number.isInteger(id) && id > 0 },
  );
  if (data?.status !== 'checked') return null;
  return (
    <Notice tone="info">
      {t('waiting')} <Link to={importLink('confirm', id)}>{t('goOn')}</Link>
    </Notice>
  );
}
