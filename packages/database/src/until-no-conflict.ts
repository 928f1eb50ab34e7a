import { isConflict } from './database-errors.ts';

const retries = 3;

/** Runs it again, up to three times more, where it collided with another transaction: it must have no effect besides its statements. */
export async function untilNoConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error) || attempt === retries) throw error;
    }
  }
}
