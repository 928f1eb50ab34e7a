import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Test files that run one after the other in a process share its modules, its environment and its clock. What vitest
 * replaces for a file is put back at its end; a file that leaves another environment behind fails, for the next one would
 * fail in its place.
 */

let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  environment = { ...process.env };
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  const changed = [...new Set([...Object.keys(environment), ...Object.keys(process.env)])].filter(
    (name) => environment[name] !== process.env[name],
  );
  for (const name of changed) {
    const before = environment[name];
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
  if (changed.length > 0)
    throw new Error(`This file leaves ${changed.join(', ')} changed in the environment of the next one`);
});
