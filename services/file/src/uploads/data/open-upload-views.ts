import { Prisma } from '../../data/generated/client.ts';

/** The upload of a file that is not complete. */
export interface OpenUploadView {
  readonly uploadId: string;
  readonly fileName: string;
  /** Bytes; null while unknown. */
  readonly fileSize: number | null;
  readonly storedBytes: number;
  readonly lastPartAt: Date | null;
  readonly fingerprint: string | null;
}

/** What `openUploadColumns` reads. */
export interface OpenUploadRow {
  /** Null without an open upload. */
  readonly uploadId: string | null;
  readonly uploadSize: bigint | null;
  readonly storedBytes: bigint | null;
  readonly lastPartAt: Date | null;
  readonly fingerprint: string | null;
}

/** The columns of `upload`, which `joinOpenUpload` joins. */
export const openUploadColumns = Prisma.sql`
  upload.upload_id AS "uploadId", upload.size AS "uploadSize",
  CASE upload.status WHEN 'verifying' THEN upload.size ELSE upload.stored_bytes END AS "storedBytes",
  upload.last_part_at AS "lastPartAt", upload.fingerprint`;

/** Joins to `file` the newest of its uploads that are not complete, of those under `partnerId`. */
export const joinOpenUpload = (partnerId: number) => Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT * FROM versions open
    WHERE open.partner_id = ${partnerId} AND open.file_id = file.id AND open.status IN ('uploading', 'verifying')
    ORDER BY open.id DESC LIMIT 1
  ) upload ON true`;

/** The row with its open upload in one piece. */
export function withOpenUpload<R extends OpenUploadRow & { readonly fileName: string }>({
  fingerprint,
  lastPartAt,
  storedBytes,
  uploadId,
  uploadSize,
  ...row
}: R) {
  const upload: OpenUploadView | null =
    uploadId === null
      ? null
      : {
          uploadId,
          // An update comes under the name of its file.
          fileName: row.fileName,
          fileSize: uploadSize === null ? null : Number(uploadSize),
          storedBytes: Number(storedBytes ?? 0),
          lastPartAt,
          fingerprint,
        };
  return { ...row, upload };
}
