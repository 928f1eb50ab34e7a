import { useTranslation } from 'react-i18next';
import { approvalLink } from '../../../../components/approval-paths.ts';
import { fileDetailPath } from '../../../../components/files/file.ts';
import type { UploadTask } from '../../../../components/upload/upload-store.ts';
import { type UploadsArea, UploadsPanel } from '../../../../components/upload/uploads-panel.tsx';
import { collectionsPath } from '../../../../lib/database-key.ts';
import { editLink } from '../../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Link } from '../../../../ui/link.tsx';
import { fileGroupsPath } from '../file-flows.ts';
import { LeftUpload } from './left-upload.tsx';
import { useLeftUploads } from './use-left-uploads.ts';

function AssignLink({ task }: { task: UploadTask }) {
  const { t } = useTranslation('files');
  const { partner } = usePartnerSession();
  return (
    <ButtonLink size="xs" variant="outline" to={editLink(fileGroupsPath, task.fileId, partner.name)}>
      {t('assign')}
    </ButtonLink>
  );
}

function RequestLink({ id }: { id: number }) {
  const { t } = useTranslation('files');
  const { partner } = usePartnerSession();
  return (
    <Link to={approvalLink(id, partner.name)} fontSize="xs">
      {t('uploads.toApproval')}
    </Link>
  );
}

const area: UploadsArea = {
  paths: ['/partner/', collectionsPath],
  useRecordLink() {
    const { partner } = usePartnerSession();
    return ({ fileId }) => editLink(fileDetailPath, fileId, partner.name);
  },
  useLeft: (items) =>
    useLeftUploads(items).map((upload) => ({
      uploadId: upload.begun.uploadId,
      line: <LeftUpload upload={upload} />,
    })),
  OtherWay: AssignLink,
  RequestLink,
};

/** The uploads of files of a company. */
export function PartnerUploads() {
  return <UploadsPanel area={area} />;
}
