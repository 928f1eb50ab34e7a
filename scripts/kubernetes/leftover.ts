import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where the cluster of this machine keeps its files. There is one at a time, since its network has one name.
 * A run that was killed leaves its cluster behind: the next one takes it down, but never one that is somebody else's.
 */
export const clusterFolder = '/tmp/kubernetes-local';
const clusterNetwork = '/run/netns/kubernetes-local';
/** Holds the id of the process of this test that brought the cluster up. */
const ownerFile = join(clusterFolder, 'owner');
const ownerProgram = join('scripts', 'kubernetes', 'main.ts');

/** free: nothing is there; leftover: what is there nobody uses any more; used: somebody works with it. */
export async function stateOfCluster(): Promise<'free' | 'leftover' | 'used'> {
  if (!existsSync(clusterFolder)) return existsSync(clusterNetwork) ? 'used' : 'free';
  const owner = await readFile(ownerFile, 'utf8').catch(() => undefined);
  if (owner !== undefined) return (await commandOf(owner)).includes(ownerProgram) ? 'used' : 'leftover';
  for (const name of await readdir(join(clusterFolder, 'pid')).catch(() => [])) {
    const command = await commandOf(await readFile(join(clusterFolder, 'pid', name), 'utf8'));
    if (command !== '') return 'used';
  }
  return 'leftover';
}

/** Says that the cluster which is about to come up is this process's. */
export async function claimCluster(): Promise<void> {
  await mkdir(clusterFolder, { recursive: true });
  await writeFile(ownerFile, String(process.pid));
}

/** The command line of a process, or nothing when it has ended. */
async function commandOf(id: string): Promise<string> {
  return readFile(`/proc/${id.trim()}/cmdline`, 'utf8').catch(() => '');
}
