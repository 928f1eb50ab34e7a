import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { type Clock, type Logger, systemClock } from '@portal/kernel';
import { assertObjectKey } from '../object-key.ts';
import type { ObjectContent, ObjectInfo, ObjectStorage } from '../object-storage.ts';
import { productUrls } from '../product-urls.ts';
import { StorageError } from '../storage-error.ts';
import type { UrlSigner } from '../url-signer.ts';
import { createRemoteSigning } from './remote-signing.ts';
import { checkBucket } from './s3-bucket.ts';
import { answerOf, connectS3, maxConnections, quick, type S3Account, statusOf } from './s3-connection.ts';
import { createS3Multipart } from './s3-multipart.ts';
import { createS3Put } from './s3-put.ts';
import { createS3Urls } from './s3-urls.ts';

export interface S3Storage extends ObjectStorage {
  /**
   * Resolves when the bucket can be used; until the store can be reached it waits, and says so in the log. Sets the
   * bucket's CORS where clients talk to the store. Call it before anything else.
   * @throws Error of one line that names the setting at fault
   */
  checkBucket(options?: { signal?: AbortSignal }): Promise<void>;
  close(): void;
}

/**
 * Objects under their own keys in a bucket that is the product's alone. `account.endpoint` is how this process reaches
 * the store; `publicUrl` the origin under which clients do, if they do: without it they get URLs of the product.
 * `portalUrl` is where clients reach the product.
 */
export function createS3Storage(
  options: S3Account & {
    publicUrl?: string | undefined;
    portalUrl: string;
    clock: Clock;
    signer: UrlSigner;
    logger: Logger;
    /** Objects that are read at the same time. */
    readsAtOnce?: number;
  },
): S3Storage {
  const {
    bucket,
    clock,
    logger,
    portalUrl,
    publicUrl,
    signer,
    readsAtOnce = maxConnections,
    ...rest
  } = options;
  const account: S3Account = { bucket, ...rest };
  /** The store's time is the world's, whatever the product takes for now. */
  const storeClock = systemClock();
  const client = connectS3(account);
  /** Of its own connections, so that nothing else waits behind objects whose readers take their time. */
  const reads = connectS3(account, { maxSockets: readsAtOnce });
  const streams = connectS3(account, { keepAlive: false });
  const publicClient = publicUrl === undefined ? undefined : connectS3({ ...account, endpoint: publicUrl });
  const addressOf = (key: string) => {
    assertObjectKey(key);
    return { Bucket: bucket, Key: key };
  };

  async function head(key: string): Promise<ObjectInfo | undefined> {
    try {
      return infoOf(await answerOf(client.send(new HeadObjectCommand(addressOf(key)), quick)));
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  const { abortBegunBefore, ...multipart } = createS3Multipart({
    client,
    streams,
    bucket,
    clientsPutParts: publicClient !== undefined,
    head,
  });

  const putBody = createS3Put({ client, streams, bucket });

  return {
    ...multipart,
    ...(publicClient
      ? createS3Urls({ client: publicClient, bucket, clock, storeClock })
      : productUrls(signer)),
    remoteSigning: createRemoteSigning(account, { portalUrl, storeClock }),

    async put(key, body, { maxSize = Number.MAX_SAFE_INTEGER, size } = {}) {
      assertObjectKey(key);
      const put = await putBody(key, body, { maxSize, size });
      const stored = await head(key);
      if (!stored) throw new Error('The store does not have what it took.');
      return { ...stored, size: put.size, etag: put.etag ?? stored.etag };
    },

    head,

    async get(key, { range, ifNoneMatch } = {}) {
      try {
        const command = new GetObjectCommand({
          ...addressOf(key),
          ...(range ? { Range: `bytes=${range.start}-${range.end ?? ''}` } : {}),
          ...(ifNoneMatch === undefined ? {} : { IfNoneMatch: ifNoneMatch }),
        });
        return contentOf(await answerOf(reads.send(command, quick)));
      } catch (error) {
        const status = statusOf(error);
        if (status === 304) return 'not-modified';
        if (status === 404) return undefined;
        if (status === 416) throw new StorageError('bad-range', `from ${range?.start}`);
        throw error;
      }
    },

    async delete(key) {
      await answerOf(client.send(new DeleteObjectCommand(addressOf(key)), quick));
    },

    async sweepOrphans({ except, olderThan }) {
      const age = clock.now().getTime() - olderThan.getTime();
      return abortBegunBefore(new Date(storeClock.now().getTime() - age), except);
    },

    checkBucket: async ({ signal } = {}) =>
      checkBucket({
        client,
        account,
        logger,
        ...(publicClient ? { corsOrigin: new URL(portalUrl).origin } : {}),
        ...(signal ? { signal } : {}),
      }),

    close() {
      client.destroy();
      reads.destroy();
      streams.destroy();
      publicClient?.destroy();
    },
  };
}

function infoOf(answer: HeadObjectCommandOutput | GetObjectCommandOutput): ObjectInfo {
  const { ContentLength: size, ETag: etag, LastModified: lastModified } = answer;
  if (size === undefined || etag === undefined || lastModified === undefined)
    throw new Error('The store told neither size, ETag nor time of an object.');
  return { size, etag, lastModified };
}

function contentOf(answer: GetObjectCommandOutput): ObjectContent {
  const body = answer.Body;
  if (!(body instanceof Readable)) throw new Error('The store gave no stream.');
  // An answer that nobody reads to its end, such as that of a store which goes away, must not end the process.
  body.on('error', () => {});
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? '') ?? [];
  return {
    ...infoOf(answer),
    ...(size === undefined ? {} : { size: Number(size), range: { start: Number(start), end: Number(end) } }),
    body,
    async sendTo(response) {
      await pipeline(body, response);
    },
  };
}
