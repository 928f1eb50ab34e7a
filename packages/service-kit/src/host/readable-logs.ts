import type { createLogger } from '@portal/kernel';

/** Where lines of the log go that people read on a terminal; undefined where programs read them. */
export async function readableLogs(): Promise<Parameters<typeof createLogger>[1]> {
  if (process.stdout.isTTY !== true) return undefined;
  const { default: pretty } = await import('pino-pretty');
  return pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
}
