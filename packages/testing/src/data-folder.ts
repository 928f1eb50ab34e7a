import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names where the data of a test run are, for its processes. */
const placeSetting = 'PORTAL_TEST_DATA';
const inMemory = '/dev/shm';
/** Much more than a run has at any moment, and it needs the memory for itself as well. */
const enough = 8 * 1024 ** 3;

/**
 * Has the data of this run in memory, where the machine has plenty. Every product and every database that a test makes is some
 * hundreds of files, which go with it: ext4 looks in vain at each that went within some minutes whenever one is made, a twentieth of
 * all that the tests of services took.
 */
export async function chooseDataPlace(): Promise<void> {
  const free = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  const isPlenty = Math.min(free, process.availableMemory()) >= enough;
  process.env[placeSetting] ??= isPlenty ? inMemory : tmpdir();
}

/** A new folder for data of a test; outside of a test run it is on the disk, as data are. */
export async function dataFolder(prefix: string): Promise<string> {
  return mkdtemp(join(process.env[placeSetting] ?? tmpdir(), prefix));
}
