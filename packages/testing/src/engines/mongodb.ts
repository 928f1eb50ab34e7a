import { once } from 'node:events';
import { copyFile, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../product.ts';
import { root } from '../project.ts';
import { preparedEngine, runTool } from './cache.ts';
import { engineIsInDocker, startInDocker } from './docker.ts';
import { type StoredEngine, startEngine, storedIn } from './engine-process.ts';

export interface MongoEngine extends StoredEngine {
  /** As in `mongodb://127.0.0.1:27017`. */
  readonly url: string;
  /** FerretDB, which speaks its protocol, runs where MongoDB cannot be had. */
  readonly kind: 'mongodb' | 'ferretdb';
}

const version = '1.24.2';

/** MongoDB in Docker where that runs, else FerretDB on SQLite. */
export async function startMongo({
  dataDir,
  host,
}: {
  readonly dataDir: string;
  readonly host?: string;
}): Promise<MongoEngine> {
  if (host || !(await engineIsInDocker())) return startNatively(dataDir, host);
  const engine = await startInDocker('mongodb', dataDir);
  return { ...engine, url: `mongodb://${engine.address}/?directConnection=true`, kind: 'mongodb' };
}

/** Its program, once it is in the cache. */
export const prepareMongo = () =>
  preparedEngine('ferretdb', version, async (own) => {
    const source = join(root, 'packages', 'testing', 'ferretdb');
    for (const file of ['main.go', 'go.mod', 'go.sum']) await copyFile(join(source, file), join(own, file));
    await runTool('go', ['build', '-o', 'ferretdb', '.'], { cwd: own });
  });

async function startNatively(dataDir: string, host = '127.0.0.1'): Promise<MongoEngine> {
  const directory = await prepareMongo();
  const data = join(dataDir, 'ferretdb');
  await mkdir(data, { recursive: true });
  const port = await freePort();
  const address = `${host}:${port}`;
  const engine = await startEngine({
    name: 'mongodb',
    program: join(directory, 'ferretdb'),
    args: [address, data],
    logDir: dataDir,
    isServing: async () => isListening(host, port),
  });
  return Object.assign(storedIn(dataDir, engine), {
    url: `mongodb://${address}/`,
    kind: 'ferretdb' as const,
  });
}

async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
