import { type UploadsArea, UploadsPanel } from '../../../components/upload/uploads-panel.tsx';
import { applicationPaths } from './application-paths.ts';

const area: UploadsArea = {
  paths: ['/admin/'],
  useRecordLink:
    () =>
    ({ fileId }) =>
      `${applicationPaths.detail}?id=${fileId}`,
  // What a reload has interrupted goes on from the page of its application.
  useLeft: () => [],
};

/** The uploads of applications. */
export function AdminUploads() {
  return <UploadsPanel area={area} />;
}
