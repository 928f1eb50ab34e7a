import { deliveryRoutes } from '@portal/contracts';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileDetail } from '../../../components/files/file.ts';
import type { Version } from '../../../components/versions/version-item.tsx';
import { VersionLine } from '../../../components/versions/version-line.tsx';
import { useApiList } from '../../../lib/api.ts';
import { downloadFrom } from '../../../lib/download.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { PutBack } from './put-back.tsx';
import { useMayChangeDelivery } from './use-may-distribute.ts';

/** The versions of a file, each with its bytes and the way back to it. */
export function Versions({ file }: { file: FileDetail }) {
  const { partner } = usePartnerSession();
  const mayChangeDelivery = useMayChangeDelivery();
  const paging = usePaging();
  const { page, perPage } = paging;
  const [chosen, setChosen] = useState<Version>();
  const query = useApiList(deliveryRoutes.listVersions, {
    params: { pid: partner.id, id: file.id },
    query: { page, perPage },
  });
  return (
    <VersionLine
      query={query}
      paging={paging}
      onPutBack={mayChangeDelivery(file) ? setChosen : undefined}
      actionsOf={({ signedUrl, version }) =>
        signedUrl !== null && <DownloadVersion version={version} signedUrl={signedUrl} />
      }
    >
      <PutBack file={file} version={chosen} onClose={() => setChosen(undefined)} />
    </VersionLine>
  );
}

function DownloadVersion({ signedUrl, version }: { version: number; signedUrl: string }) {
  const { t } = useTranslation('files');
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={<Download />}
      aria-label={t('versions.downloadOf', { version })}
      onClick={() => downloadFrom(signedUrl)}
    >
      {t('download')}
    </Button>
  );
}
