import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { StorageError } from '../storage-error.ts';

/** Which store, and who the product is there. */
export interface S3Account {
  /** The store's own origin, as in `https://s3.ap-northeast-1.amazonaws.com`; buckets are in the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const connectMs = 3_000;
/** A transfer that moves no byte for so long is dead. Its other end, the client, is given up a little sooner. */
const idleMs = 65_000;
const attempts = 3;
/** As many as a gateway has clients by default: bytes of objects hold one for as long as their reader or sender takes. The SDK has 50. */
export const maxConnections = 10_000;

/** For requests that move no objects: how long the store may take for one attempt. */
export const quick = { requestTimeout: 10_000 };
/** The store may copy every byte before it answers. */
export const lengthy = { requestTimeout: 120_000 };

const silent = () => {};

/**
 * Streams are sent once; everything else up to three times. A client that sends streams takes a new connection for each: the store may
 * close one that was idle just as the next request comes, and a stream can't be sent again.
 */
export function connectS3(
  { accessKeyId, endpoint, region, secretAccessKey }: S3Account,
  { keepAlive = true, maxSockets = maxConnections } = {},
): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: attempts,
    // Checksums that not every store knows, and that a browser could not add to what was signed for it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The caller gets the errors; without this, the SDK would also print them to the console.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive, maxSockets },
      httpsAgent: { keepAlive, maxSockets },
    },
  });
}

/** The answer to a request; a store that is away rejects with `unavailable`. */
export async function answerOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw isOutage(error) ? new StorageError('unavailable', reasonOf(error), { cause: error }) : error;
  }
}

/** The store's own name for what it refused, such as `NoSuchKey`. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof S3ServiceException ? error.name : undefined;
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function isOutage(error: unknown): error is Error {
  const status = statusOf(error);
  if (status !== undefined) return status === 429 || (status >= 500 && status !== 501);
  if (!(error instanceof Error)) return false;
  // The codes of the system, as in ECONNREFUSED; the SDK's own time-outs have a name alone.
  return error.name === 'TimeoutError' || ('code' in error && typeof error.code === 'string');
}

/** In one line: trying several addresses gives an error without words of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map(String).join(', ');
  return `${error.name}: ${error.message}`;
}
