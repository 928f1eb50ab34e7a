import { writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Launcher } from './launcher.ts';

/** What lets others than this machine in, with the password as well. */
export async function openTo(host: string, dataDir: string, launch: Launcher): Promise<string[]> {
  const rules = join(dataDir, 'pg_hba.conf');
  await writeFile(rules, 'host all all all scram-sha-256\n', { mode: 0o600 });
  await launch.own(rules);
  return ['-c', `listen_addresses=127.0.0.1,${host}`, '-c', `hba_file=${rules}`];
}

/** One small machine, ten services, short statements. */
export function settings(durable: boolean): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Enough for two instances of each, and the third of an upgrade. One that is not open costs 50 kB.
    max_connections: '600',
    shared_buffers: `${bufferMegabytes()}MB`,
    // No replicas: less to write ahead.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
    random_page_cost: '1.1',
    jit: 'off',
    // The passwords are random, so nobody guesses them, however quickly they can be tried; with 4,096 rounds every connection pays.
    scram_iterations: '1',
    timezone: 'UTC',
    // Statements and their values stay out of the log; a failed one is reported to the service that sent it.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * An eighth of the machine's memory, up to what the list of a tenant with a million users is read from. It is taken as it
 * is used, so little data takes little.
 */
function bufferMegabytes(): number {
  return Math.max(128, Math.min(1024, Math.floor(totalmem() / 8 / 2 ** 20)));
}
