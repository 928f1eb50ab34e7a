import { ofPartner } from '@portal/service-kit';
import { type ClaimedImport, lockClaimedImport } from '../data/import-repository.ts';
import { countPasswords, type OpenPassword, openPasswords, savePasswords } from '../data/import-rows.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { importSeal } from '../domain/import.ts';
import type { Turn } from './import-turn.ts';

/** Saved together: so many are hashed again after a crash. */
const batchSize = 50;
/** Hashed at a time: a sign-in meanwhile waits for no more than these. */
const atOnce = 2;

/**
 * Hashes the passwords on the stage, or only those of people who are users already. One that is the user's already stays as
 * it is hashed: importing a file twice is safe. Answers whether all of them are; else the turn is over.
 */
export async function hashPasswords(
  deps: ImportDependencies,
  held: ClaimedImport,
  turn: Turn,
  which: 'all' | 'ofUsers',
): Promise<boolean> {
  const { store } = deps;
  const scope = ofPartner(held.partnerId);
  const { hashed: before, open: total } = await store.read(scope, (db) => countPasswords(db, held, which));
  let after = 0;
  let done = 0;
  while (done < total && !turn.isOver()) {
    const open = await store.read(scope, (db) => openPasswords(db, held, { after, take: batchSize, which }));
    if (open.length === 0) return true;
    const hashes: { line: number; passwordHash: string }[] = [];
    while (hashes.length < open.length && !turn.isOver()) {
      held.task.signal.throwIfAborted();
      const some = open.slice(hashes.length, hashes.length + atOnce);
      hashes.push(...(await Promise.all(some.map(async (row) => hashed(deps, held, row)))));
    }
    after = hashes.at(-1)?.line ?? after;
    done += hashes.length;
    await store.write(scope, async ({ db }) => {
      const progress = (before + done) / (before + total);
      await lockClaimedImport(db, held, { phase: 'hashing', progress });
      await savePasswords(db, held, hashes);
    });
  }
  return done >= total;
}

async function hashed(
  { passwords, seals }: ImportDependencies,
  held: ClaimedImport,
  { currentHash, line, sealedPassword }: OpenPassword,
): Promise<{ line: number; passwordHash: string }> {
  const password = seals.open(sealedPassword, importSeal(held.id, line));
  if (currentHash !== null && (await passwords.matches(currentHash, password))) {
    return { line, passwordHash: currentHash };
  }
  return { line, passwordHash: await passwords.hash(password) };
}
