import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CORSRule,
  GetBucketCorsCommand,
  ListMultipartUploadsCommand,
  PutBucketCorsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Logger } from '@portal/kernel';
import { StorageError } from '../storage-error.ts';
import { answerOf, quick, refusalOf, type S3Account, statusOf } from './s3-connection.ts';

interface BucketCheck {
  readonly client: S3Client;
  readonly account: S3Account;
  readonly logger: Logger;
  /** The origin of the web client, where it talks to the store itself. */
  readonly corsOrigin?: string;
  readonly signal?: AbortSignal;
}

const retryMs = 1_000;
/** Tries between two lines in the log. */
const triesPerLine = 15;

/**
 * Waits for a store that cannot be reached yet.
 * @throws Error of one line that names the setting at fault
 */
export async function checkBucket(check: BucketCheck): Promise<void> {
  const { account, client, logger, signal } = check;
  const { bucket, endpoint } = account;
  for (let tries = 0; ; tries += 1) {
    try {
      // Unlike HEAD, this call returns the reason of a refusal; and the clean-up needs the right to it.
      await answerOf(client.send(new ListMultipartUploadsCommand({ Bucket: bucket, MaxUploads: 1 }), quick));
      if (tries > 0) logger.info({ endpoint, bucket }, 'The S3 store can be reached');
      break;
    } catch (error) {
      if (!(error instanceof StorageError)) throw new Error(faultOf(error, account), { cause: error });
      if (tries % triesPerLine === 0) {
        logger.warn({ endpoint, reason: error.message }, 'Waiting for the S3 store, which cannot be reached');
      }
      await sleep(retryMs, undefined, signal ? { signal } : {});
    }
  }
  if (check.corsOrigin !== undefined) await allowOrigin(check, check.corsOrigin);
}

function faultOf(error: unknown, { accessKeyId, bucket, endpoint, region }: S3Account): string {
  const status = statusOf(error);
  switch (refusalOf(error)) {
    case 'NoSuchBucket':
      return `S3_BUCKET: there is no bucket "${bucket}" at ${endpoint}`;
    case 'InvalidAccessKeyId':
    case 'XAdminUserNotFound': // versitygw
      return `S3_ACCESS_KEY_ID: ${endpoint} does not know the key "${accessKeyId}"`;
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_ACCESS_KEY: it is not the secret of the key "${accessKeyId}" at ${endpoint}`;
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'IllegalLocationConstraintException':
      return `S3_REGION: the bucket "${bucket}" is not in the region "${region}"`;
    default:
  }
  if (status === 403) return `S3_ACCESS_KEY_ID: the key "${accessKeyId}" may not use the bucket "${bucket}"`;
  if (status === 301) return `S3_REGION: the bucket "${bucket}" is not in the region "${region}"`;
  return `S3_ENDPOINT: ${endpoint} does not answer like an S3 store (${error instanceof Error ? error.message : error})`;
}

/** Lets the web client send parts and read their ETags. The rules of others stay. */
async function allowOrigin({ account, client, logger }: BucketCheck, origin: string): Promise<void> {
  const ours: CORSRule = {
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Content-Range'],
    MaxAgeSeconds: 3600,
  };
  const bucket = { Bucket: account.bucket };
  try {
    const others = (await rulesOf(client, account.bucket)).filter(
      (rule) => !rule.AllowedOrigins?.includes(origin),
    );
    const configuration = { CORSRules: [...others, ours] };
    await answerOf(
      client.send(new PutBucketCorsCommand({ ...bucket, CORSConfiguration: configuration }), quick),
    );
  } catch (error) {
    logger.warn(
      { origin, bucket: account.bucket, reason: error instanceof Error ? error.message : error },
      'The S3 store does not let its CORS rules be set: they must allow the origin by other means',
    );
  }
}

async function rulesOf(client: S3Client, bucket: string): Promise<CORSRule[]> {
  try {
    return (await answerOf(client.send(new GetBucketCorsCommand({ Bucket: bucket }), quick))).CORSRules ?? [];
  } catch (error) {
    if (statusOf(error) === 404) return [];
    throw error;
  }
}
