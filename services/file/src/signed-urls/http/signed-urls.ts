import { formatDateTime } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { Caller, TenantCaller } from '@portal/service-kit';
import { type AddressUse, type MultipartUpload, type ObjectStorage, tenantOf } from '@portal/storage';
import { folderOf, type Upload } from '../../uploads/data/version-repository.ts';
import { largestOf, partSize } from '../../uploads/domain/upload.ts';

/** Who gets an address: it ends with their session, and with their right to what it leads to. */
type Holder = Pick<TenantCaller, 'expiresAt' | 'partnerId' | 'sessionId'> &
  (
    | { readonly client: 'portal' }
    | { readonly client: 'player'; readonly accountId: number; readonly platformUuid: string | null }
  );
/** Whoever reads what the portal of a tenant shows: its people, or an administrator. */
export const inPortalOf = (partnerId: number, { expiresAt, sessionId }: Caller): Holder => ({
  client: 'portal',
  partnerId,
  expiresAt,
  sessionId,
});

/** Who sends bytes: an administrator, too. */
type Sender = Pick<Holder, 'expiresAt' | 'sessionId'>;

/** What a client needs to send the bytes. */
interface UploadInfo {
  readonly uploadId: string;
  readonly signedUrl: string;
  readonly partSize: number;
  readonly expiresAt: string;
  readonly storage: {
    readonly region: string;
    readonly awsKey: string;
    readonly bucketName: string;
    readonly bucketDir: string;
    readonly signerUrl: string;
  };
}

/** Addresses of stored objects for the reader of an answer. */
export interface SignedUrls {
  icon(
    holder: Holder,
    file: { readonly id: number; readonly iconKey: string | null },
  ): Promise<string | null>;
  /** Saved by a browser under the file's name. */
  file(
    holder: Holder,
    file: {
      readonly id: number;
      readonly objectKey: string;
      readonly fileName: string;
      readonly version: number;
    },
  ): Promise<string>;
  upload(holder: Sender, upload: Upload): Promise<UploadInfo>;
  part(holder: Sender, uploadId: string, upload: MultipartUpload, partNumber: number): Promise<string>;
}

export function createSignedUrls({ clock, storage }: { clock: Clock; storage: ObjectStorage }): SignedUrls {
  /** No longer than the token of the holder: sessions that ended are known for as long as their tokens. */
  const until = ({ expiresAt }: Sender): Date =>
    new Date(Math.min(clock.now().getTime() + storage.urlLifetime, expiresAt.getTime()));

  const shown = (holder: Holder, fileId: number, key: string, version?: number): AddressUse => {
    const { partnerId, sessionId } = holder;
    // Bytes of an application are the operator's: the address says whose people it is for.
    const use = { sessionId, fileId, ...(tenantOf(key) === partnerId ? {} : { partnerId }) };
    if (holder.client === 'portal') return { purpose: 'file', ...use };
    const { accountId, platformUuid } = holder;
    return {
      purpose: 'delivery',
      accountId,
      ...use,
      // Whose download it is, when its last byte was sent.
      ...(platformUuid === null || version === undefined ? {} : { receiver: { platformUuid, version } }),
    };
  };

  const sent = ({ sessionId }: Sender, uploadId: string): AddressUse => ({
    purpose: 'upload',
    sessionId,
    uploadId,
  });

  return {
    icon: async (holder, { iconKey, id }) =>
      iconKey === null
        ? null
        : storage.presignGet(iconKey, {
            expiresAt: until(holder),
            use: shown(holder, id, iconKey),
            contentType: 'image/png',
          }),

    file: async (holder, { fileName, id, objectKey, version }) =>
      storage.presignGet(objectKey, {
        expiresAt: until(holder),
        use: shown(holder, id, objectKey, version),
        fileName,
      }),

    async upload(holder, { incomingKey, size, slot, uploadId }) {
      const { remoteSigning } = storage;
      const expiresAt = until(holder);
      return {
        uploadId,
        partSize,
        expiresAt: formatDateTime(expiresAt),
        signedUrl: await storage.presignPut(incomingKey, {
          expiresAt,
          use: sent(holder, uploadId),
          maxSize: size ?? largestOf(slot),
        }),
        // For clients that talk to the store behind: they store `bucketDir/uploadId`, and have each request signed.
        storage: {
          region: remoteSigning?.region ?? 'local',
          awsKey: remoteSigning?.accessKeyId ?? '',
          bucketName: remoteSigning?.bucket ?? 'portal',
          bucketDir: folderOf(incomingKey),
          signerUrl: remoteSigning?.signerUrl ?? '',
        },
      };
    },

    part: async (holder, uploadId, upload, partNumber) =>
      storage.presignPart(upload, partNumber, { expiresAt: until(holder), use: sent(holder, uploadId) }),
  };
}
