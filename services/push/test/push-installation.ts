import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@portal/kernel';
import { createKeyCipher } from '@portal/service-kit';
import pg from 'pg';
import { type DeliveryPartner, partnerOf } from './delivery-harness.ts';

const script = fileURLToPath(new URL('push-process.ts', import.meta.url));

/** Processes of the push service on one database, and a tenant of theirs. */
export interface PushInstallation {
  readonly partner: DeliveryPartner;
  sql<T extends object = Record<string, unknown>>(text: string, ...params: unknown[]): Promise<T[]>;
  /** Resolves when the process works. */
  start(): Promise<ChildProcess>;
  kill(child: ChildProcess): Promise<void>;
  close(): Promise<void>;
}

/** @param url of the service's own role @param env where the providers are, whose certificates the tenant has */
export async function createPushInstallation(options: {
  readonly ownerUrl: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly account: object;
  readonly app: { readonly certificate: string; readonly privateKey: string };
}): Promise<PushInstallation> {
  const { account, app, env, ownerUrl, url } = options;
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2, options: '-c app.scope=system' });
  // The server may be killed under it: the next query makes a connection anew.
  pool.on('error', () => undefined);
  const sql = async <T extends object>(text: string, ...params: unknown[]): Promise<T[]> =>
    (await pool.query<T>(text, params)).rows;
  const key = randomBytes(32);
  const cipher = createKeyCipher(key);
  const id = 1;
  await sql(
    `INSERT INTO partners (partner_id, unit_id, contract_rank, license_expired_on, lang) VALUES ($1, 1, 'enterprise', NULL, 'ja')`,
    id,
  );
  const [made] = await sql<{ id: number }>(
    `INSERT INTO certifications (partner_id, name, name_key, project_id, certification_file_name, certificate, topic,
       certificate_expires_at, created_at, updated_at)
     VALUES ($1, 'App', 'app', 'demo', 'app.p12', $2, 'com.example.app', now() + interval '1 year', now(), now()) RETURNING id`,
    id,
    app.certificate,
  );
  if (!made) throw new Error('No certification');
  await sql(
    'INSERT INTO certification_secrets (certification_id, partner_id, api_key, private_key) VALUES ($1, $2, $3, $4)',
    made.id,
    id,
    cipher.seal(JSON.stringify(account), `api key of certification ${made.id}`),
    cipher.seal(app.privateKey, `private key of certification ${made.id}`),
  );
  const objects = await mkdtemp(join(tmpdir(), 'portal-push-process-'));
  const children = new Set<ChildProcess>();
  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    children.delete(child);
  };
  return {
    partner: partnerOf({ sql, clock: systemClock() }, { id, certificationId: made.id, key }),
    sql,
    async start() {
      const child = spawn(process.execPath, [script, url, objects], {
        env: { ...process.env, DEMO: '0', ...env, KEY_ENCRYPTION_KEY: key.toString('base64') },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      children.add(child);
      await once(child.stdout, 'data');
      return child;
    },
    kill,
    async close() {
      await Promise.all([...children].map(kill));
      await pool.end();
      await rm(objects, { recursive: true });
    },
  };
}
