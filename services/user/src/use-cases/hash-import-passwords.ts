import { ofPartner } from '@portal/service-kit';
import type { HeldImport } from '../data/import-repository.ts';
import { countPasswords, type OpenPassword, openPasswords, savePasswords } from '../data/import-rows.ts';
import { type ImportTools, keepHold, sealOf, type Turn } from './import-tools.ts';

/** Saved together: so many are hashed again after a crash. */
const batchSize = 50;
/** Hashed at once: whoever signs in meanwhile waits for no more. */
const atOnce = 2;

/**
 * Hashes the passwords on the stage, or only those of people who are users already. One that is the user's already stays as
 * it is hashed: importing a file twice is safe. Answers whether all of them are; else the turn is over.
 */
export async function hashPasswords(
  tools: ImportTools,
  held: HeldImport,
  { stopping, turn }: { stopping: AbortSignal; turn: Turn },
  which: 'all' | 'ofUsers',
): Promise<boolean> {
  const { store } = tools;
  const scope = ofPartner(held.partnerId);
  const { hashed: before, open: total } = await store.read(scope, (db) => countPasswords(db, held, which));
  let after = 0;
  let done = 0;
  while (done < total && !turn.isOver()) {
    const open = await store.read(scope, (db) => openPasswords(db, held, { after, take: batchSize, which }));
    if (open.length === 0) return true;
    const hashes: { line: number; passwordHash: string }[] = [];
    while (hashes.length < open.length && !turn.isOver()) {
      stopping.throwIfAborted();
      const some = open.slice(hashes.length, hashes.length + atOnce);
      hashes.push(...(await Promise.all(some.map(async (row) => hashed(tools, held, row)))));
    }
    after = hashes.at(-1)?.line ?? after;
    done += hashes.length;
    await store.write(scope, async ({ db }) => {
      const progress = (before + done) / (before + total);
      await keepHold(tools, db, held, { phase: 'hashing', progress });
      await savePasswords(db, held, hashes);
    });
  }
  return done >= total;
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
