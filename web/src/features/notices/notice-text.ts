import type { noticeRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';

const exportNames = ['files', 'users', 'pushNotifications', 'operationLogs', 'partners'] as const;

/** What exports are called. */
export function useExportName(): (name: string) => string {
  const { t } = useTranslation('ownNotices');
  return (name) => t(`exports.${exportNames.find((known) => known === name) ?? 'other'}`);
}

/** What a notice says, in the reader's language. */
export function useNoticeText(): (notice: noticeRoutes.Notice) => string {
  const { t } = useTranslation('ownNotices');
  const format = useFormat();
  const exportName = useExportName();
  return ({ data, kind }: noticeRoutes.Notice): string => {
    switch (kind) {
      case 'export_ready':
        return t('exportReady', {
          count: data.rowCount,
          rows: format.number(data.rowCount),
          name: exportName(data.export),
        });
      case 'import_ended':
        if (data.result === 'failed') return t('importFailed');
        if (data.result === 'refused')
          return t('importRefused', { count: data.errorCount, errors: format.number(data.errorCount) });
        return t('importApplied', {
          created: format.number(data.createCount),
          updated: format.number(data.updateCount),
          deleted: format.number(data.deleteCount),
        });
      case 'upload_failed': {
        const texts = {
          expired: 'uploadExpired',
          refused: 'uploadRefused',
          given_up: 'uploadGivenUp',
          outdated: 'uploadOutdated',
        } as const;
        return t(texts[data.reason], { name: data.name });
      }
      case 'licence_ending':
        return t('licenceEnding', { count: data.days, date: format.date(data.licenseExpiredOn) });
      case 'rollout_halted':
        return t(data.byHand ? 'rolloutHaltedByHand' : 'rolloutHalted', {
          name: data.name,
          version: format.number(data.version),
          reports: format.number(data.reports),
          failures: format.number(data.failures),
        });
      case 'certificate_ending':
        return t('certificateEnding', {
          count: data.days,
          name: data.name,
          date: format.date(data.certificateExpiresAt),
        });
      case 'approval_requested':
        return data.name === null
          ? t('approvalRequested.settings', { by: data.requestedByName })
          : t('approvalRequested.file', { by: data.requestedByName, name: data.name });
      case 'approval_decided':
        return data.name === null
          ? t(`approvalDecided.settings.${data.state}`)
          : t(`approvalDecided.file.${data.state}`, { name: data.name });
    }
  };
}
