import { ofPartner } from '@portal/service-kit';
import type { HeldImport } from '../data/import-repository.ts';
import { countOpenPasswords, type OpenPassword, openPasswords, savePasswords } from '../data/import-rows.ts';
import { type ImportTools, keepHold, sealOf } from './import-tools.ts';

/** Saved together: so many are hashed again after a crash. */
const batchSize = 50;
/** Hashed at once: whoever signs in meanwhile waits for no more. */
const atOnce = 2;

/**
 * Hashes the passwords on the stage, or only those of people who are users already. One that is the user's already stays as
 * it is hashed: importing a file twice is safe.
 */
export async function hashPasswords(
  tools: ImportTools,
  held: HeldImport,
  stopping: AbortSignal,
  which: 'all' | 'ofUsers',
): Promise<void> {
  const { store } = tools;
  const scope = ofPartner(held.partnerId);
  const total = await store.read(scope, (db) => countOpenPasswords(db, held, which));
  let after = 0;
  for (let done = 0; done < total; ) {
    const open = await store.read(scope, (db) => openPasswords(db, held, { after, take: batchSize, which }));
    const last = open.at(-1);
    if (!last) return;
    const hashes: { line: number; passwordHash: string }[] = [];
    for (let first = 0; first < open.length; first += atOnce) {
      stopping.throwIfAborted();
      const some = open.slice(first, first + atOnce);
      hashes.push(...(await Promise.all(some.map(async (row) => hashed(tools, held, row)))));
    }
    after = last.line;
    done += open.length;
    await store.write(scope, async ({ db }) => {
      await keepHold(tools, db, held, { phase: 'hashing', progress: done / total });
      await savePasswords(db, held, hashes);
    });
  }
}

async function hashed(
  { passwords, seals }: ImportTools,
  held: HeldImport,
  { currentHash, line, sealedPassword }: OpenPassword,
): Promise<{ line: number; passwordHash: string }> {
  const password = seals.open(sealedPassword, sealOf(held, line));
  if (currentHash !== null && (await passwords.matches(currentHash, password))) {
    return { line, passwordHash: currentHash };
  }
  return { line, passwordHash: await passwords.hash(password) };
}
