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
  for (let done = 0; done < total; ) {
    if (turn.isOver()) return false;
    const open = await store.read(scope, (db) => openPasswords(db, held, { after, take: batchSize, which }));
    const last = open.at(-1);
    if (!last) return true;
    const hashes: { line: number; passwordHash: string }[] = [];
    for (let first = 0; first < open.length; first += atOnce) {
      stopping.throwIfAborted();
      const some = open.slice(first, first + atOnce);
      hashes.push(...(await Promise.all(some.map(async (row) => hashed(tools, held, row)))));
    }
    after = last.line;
    done += open.length;
    await store.write(scope, async ({ db }) => {
      const progress = (before + done) / (before + total);
      await keepHold(tools, db, held, { phase: 'hashing', progress });
      await savePasswords(db, held, hashes);
    });
  }
  return true;
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
