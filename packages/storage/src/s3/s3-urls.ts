import { GetObjectCommand, PutObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { limits } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { contentDisposition } from '../content-disposition.ts';
import { partBounds } from '../multipart.ts';
import { assertObjectKey } from '../object-key.ts';
import type { SignedUrls } from '../product-urls.ts';

/**
 * URLs that go straight to the store. `client` has the origin under which clients reach it. A single PUT may be of any
 * size, since SigV4 knows no upper bound; a part must be of its own. The store cannot be told that a URL is over, so none
 * is good for long.
 */
export function createS3Urls(options: {
  client: S3Client;
  bucket: string;
  clock: Clock;
  storeClock: Clock;
}): SignedUrls {
  const { bucket, client, clock, storeClock } = options;

  /** The store goes by the time of the world, the product's may be shifted: what is signed is how long a URL is good. */
  function lifetime(expiresAt: Date): { signingDate: Date; expiresIn: number } {
    const signingDate = storeClock.now();
    const end = signingDate.getTime() + expiresAt.getTime() - clock.now().getTime();
    const seconds = Math.floor(end / 1000) - Math.floor(signingDate.getTime() / 1000);
    return { signingDate, expiresIn: Math.max(1, seconds) };
  }

  return {
    urlLifetime: limits.storeUrlLifetime,

    async presignGet(key, { contentType = 'application/octet-stream', expiresAt, fileName }) {
      assertObjectKey(key);
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseCacheControl: 'private',
        ResponseContentType: contentType,
        ...(fileName === undefined ? {} : { ResponseContentDisposition: contentDisposition(fileName) }),
      });
      return getSignedUrl(client, command, lifetime(expiresAt));
    },

    async presignPut(key, { expiresAt }) {
      assertObjectKey(key);
      return getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: key }), lifetime(expiresAt));
    },

    async presignPart({ key, uploadId, ...sizes }, partNumber, { expiresAt }) {
      const { size } = partBounds({ key, uploadId, ...sizes }, partNumber);
      const command = new UploadPartCommand({
        Bucket: bucket,
        Key: key,
        UploadId: uploadId,
        PartNumber: partNumber,
        ContentLength: size,
      });
      return getSignedUrl(client, command, {
        ...lifetime(expiresAt),
        signableHeaders: new Set(['host', 'content-length']),
      });
    },
  };
}
