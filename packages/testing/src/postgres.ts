import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, type ProvisionedDatabase, provisionDatabase, withClient } from '@portal/database';
import type { Client } from 'pg';
import { inject } from 'vitest';
import type {} from './global-setup.ts';

/** Held while a template is made or copied: PostgreSQL copies only a database that nobody is connected to. */
const TEMPLATE_LOCK = 0x7465_6d70;

const PASSWORD = 'test';

export interface TestDatabase {
  /** URL of the role that owns the database. */
  readonly ownerUrl: string;
  /** URL of the service's own role, under row-level security. */
  readonly url: string;
  /** Removes the database, whoever is still connected to it. */
  drop(): Promise<void>;
}

/** Those that this process has found migrated: its next test file need not look again. */
const templates = new Map<string, ProvisionedDatabase>();

async function migratedTemplate(
  adminUrl: string,
  service: string,
  directories: readonly string[],
): Promise<ProvisionedDatabase> {
  const template = await provisionDatabase({
    adminUrl,
    service,
    password: PASSWORD,
    ownerPassword: PASSWORD,
  });
  await migrate({ url: template.ownerUrl, directories });
  return template;
}

/**
 * A fresh, migrated database for one test file: a copy of the service's template, which the first file of the run makes
 * from the migrations in `directories`.
 */
export async function testDatabase(options: {
  service: string;
  directories: readonly string[];
}): Promise<TestDatabase> {
  const { directories, service } = options;
  const adminUrl = inject('postgresAdminUrl');
  const name = `test_${service}_${randomBytes(4).toString('hex')}`;

  return withClient(adminUrl, async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const of = [service, ...directories].join();
    const template = templates.get(of) ?? (await migratedTemplate(adminUrl, service, directories));
    templates.set(of, template);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE portal_${service} OWNER portal_${service}_owner`);
    // What a template has, but for who may do what with the database itself.
    await admin.query(
      `REVOKE ALL ON DATABASE ${name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${name} TO portal_${service}`,
    );
    return {
      ownerUrl: withDatabase(template.ownerUrl, name),
      url: withDatabase(template.url, name),
      drop: () =>
        withClient(adminUrl, async (client) => {
          await untilDisconnected(client, name);
          await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        }),
    };
  });
}

/** A connection that is just closing would fail if it were cut; one that nobody closes is cut after a second. */
async function untilDisconnected(client: Pick<Client, 'query'>, database: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const open = await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [database]);
    if (open.rowCount === 0) return;
    await sleep(20);
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
