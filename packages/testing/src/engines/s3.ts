import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../product.ts';
import { preparedEngine, runTool } from './cache.ts';
import { engineIsInDocker, startInDocker } from './docker.ts';
import { type StoredEngine, startEngine, storedIn } from './engine-process.ts';

export interface S3Engine extends StoredEngine {
  /** As in `http://127.0.0.1:7070`; buckets are in the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** A bucket that is there. */
  readonly bucket: string;
}

const version = '1.8.0';
const healthPath = '/health';

const region = 'us-east-1';
const bucket = 'portal';

/** An S3 server, in Docker where that runs. */
export async function startS3({
  dataDir,
  host,
}: {
  readonly dataDir: string;
  readonly host?: string;
}): Promise<S3Engine> {
  if (host || !(await engineIsInDocker())) return startNatively(dataDir, host);
  const engine = await startInDocker('s3', dataDir);
  const { ROOT_ACCESS_KEY: accessKeyId = '', ROOT_SECRET_KEY: secretAccessKey = '' } = engine.environment;
  return { ...engine, endpoint: `http://${engine.address}`, region, bucket, accessKeyId, secretAccessKey };
}

/** Its program, once it is in the cache. */
export const prepareS3 = () =>
  preparedEngine('versitygw', version, async (own) => {
    await runTool('go', ['install', `github.com/versity/versitygw/cmd/versitygw@v${version}`], {
      cwd: own,
      env: { GOBIN: own },
    });
  });

/** On a free port of `host`, that keeps its objects in `dataDir`. */
async function startNatively(dataDir: string, host = '127.0.0.1'): Promise<S3Engine> {
  const directory = await prepareS3();
  const buckets = join(dataDir, 'buckets');
  await mkdir(join(buckets, bucket), { recursive: true });
  const address = `${host}:${await freePort()}`;
  const endpoint = `http://${address}`;
  const accessKeyId = 'portal';
  const secretAccessKey = await secretOf(dataDir);
  const engine = await startEngine({
    name: 's3',
    program: join(directory, 'versitygw'),
    args: ['--port', address, '--region', region, '--health', healthPath, 'posix', buckets],
    env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    logDir: dataDir,
    isServing: async () => (await fetch(`${endpoint}${healthPath}`)).ok,
  });
  return Object.assign(storedIn(dataDir, engine), { endpoint, region, accessKeyId, secretAccessKey, bucket });
}

/** The same over all starts on the folder. */
async function secretOf(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret');
  await writeFile(file, randomBytes(24).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  return readFile(file, 'utf8');
}
