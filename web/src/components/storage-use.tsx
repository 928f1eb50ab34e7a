import { fileRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../lib/api.ts';
import { useFormat } from '../lib/format.ts';
import { usePartnerSession } from '../lib/session/use-session.ts';
import { Notice } from '../ui/feedback/notice.tsx';
import { Meter } from '../ui/meter.tsx';

/** The share of the quota from which on people are told. */
const tellFrom = 0.8;

function useStorageUse() {
  const { partner } = usePartnerSession();
  return useApiQuery(fileRoutes.getStorageUse, { params: { pid: partner.id } }).data;
}

/** Tells that the storage of the contract is nearly used up, before an upload is refused. */
export function StorageNotice() {
  const { t } = useTranslation('files');
  const { fileSize } = useFormat();
  const use = useStorageUse();
  if (!use || use.quotaBytes === 0 || use.usedBytes < use.quotaBytes * tellFrom) return null;
  const { leavingBytes, quotaBytes, usedBytes } = use;
  return (
    <Notice tone="warning">
      {t(usedBytes >= quotaBytes ? 'storage.full' : 'storage.nearlyFull', {
        used: fileSize(usedBytes),
        quota: fileSize(quotaBytes),
      })}
      {leavingBytes > 0 && ` ${t('storage.leaving', { size: fileSize(leavingBytes) })}`}
    </Notice>
  );
}

/** How much of the quota is used; nothing where the contract has none. */
export function StorageMeter() {
  const { t } = useTranslation('files');
  const { fileSize } = useFormat();
  const use = useStorageUse();
  if (!use || use.quotaBytes === 0) return null;
  const { leavingBytes, quotaBytes, usedBytes } = use;
  const text = t('storage.ofQuota', { used: fileSize(usedBytes), quota: fileSize(quotaBytes) });
  return (
    <>
      <Meter wide label={t('storage.quota')} value={usedBytes} max={quotaBytes} text={text} />
      {leavingBytes > 0 && t('storage.leaving', { size: fileSize(leavingBytes) })}
    </>
  );
}
