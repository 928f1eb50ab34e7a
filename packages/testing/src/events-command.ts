import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { projectNode, root } from './project.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** `npm run events -- …`, without the installing that comes before it; `env` says where the portal is. */
export const runEventsCommand = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> => runScript('events.ts', args, env);

/** A command of `scripts`, in the same way. */
export function runScript(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const settings = { ...process.env, DATABASE_URL: '', KAFKA_BROKERS: '', ...env };
  return new Promise((done) => {
    execFile(projectNode, [join(root, 'scripts', name), ...args], { env: settings }, (error, out, errors) =>
      done({ code: error ? Number(error.code) : 0, out, errors }),
    );
  });
}
