import pg from 'pg';
import { type ScopeKey, scopeKeyOf } from './scope.ts';
import { withClient } from './with-client.ts';

/** Serializes provisioning of several services and instances on one server. */
const PROVISION_LOCK = 0x7072_6f76;

export interface ProvisionedDatabase {
  /** URL of the role that owns the database: for migrations alone. */
  readonly ownerUrl: string;
  /** URL of the service's own role: rows only, under row-level security. */
  readonly url: string;
}

/**
 * Makes what service `service` needs on the server (PostgreSQL 17 or newer) and does nothing where it is there:
 * the database `portal_<service>`, its owner `portal_<service>_owner`, and the role `portal_<service>`, which may
 * read and write the rows of whatever tables the owner makes, in any schema, within the scopes that it signs, and nothing
 * else. It sets the passwords of both roles again. Several instances may run it at once.
 */
export async function provisionDatabase(options: {
  /** URL of a role that may create roles and databases. */
  adminUrl: string;
  /** Lower-case letters, digits and `_`. */
  service: string;
  /** Of the service's own role. */
  password: string;
  /** Of the role that owns the database: another one, so that the service cannot become it. */
  ownerPassword: string;
}): Promise<ProvisionedDatabase> {
  const { adminUrl, ownerPassword, password, service } = options;
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(service)) throw new Error(`Not a name of a service: ${service}`);
  const database = `portal_${service}`;
  const owner = `${database}_owner`;
  const role = database;
  const urls = {
    ownerUrl: withCredentials(adminUrl, database, owner, ownerPassword),
    url: serviceUrl(adminUrl, service, password),
  };
  const passwords = { [owner]: ownerPassword, [role]: password };

  await withClient(adminUrl, async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [PROVISION_LOCK]);
    for (const [name, secret] of Object.entries(passwords)) {
      const known = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
      await admin.query(
        `${known.rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${name} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE
           PASSWORD ${pg.escapeLiteral(secret)}`,
      );
    }
    const made = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (made.rowCount === 0) {
      // Who is no superuser may give a database only to a role that it is a member of.
      await admin.query(`GRANT ${owner} TO CURRENT_USER`);
      // The same order and case rules on every server, whatever its own locale.
      await admin.query(
        `CREATE DATABASE ${database} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8'
           LOCALE 'C' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'`,
      );
    }
    await withClient(urls.ownerUrl, async (client) => {
      await grantRows(client, { database, role });
      await keepScopeKey(client, scopeKeyOf(urls.url));
    });
  });
  return urls;
}

/** Nobody but the owner and `role` may connect; `role` gets the rows of tables that exist and of those to come. */
async function grantRows(
  owner: pg.Client,
  { database, role }: { database: string; role: string },
): Promise<void> {
  const granted = await owner.query(`SELECT to_regnamespace('scope') AS made`);
  if (granted.rows[0]?.made !== null) return;
  // One implicit transaction: granted whole or not at all.
  await owner.query(`
    REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
    GRANT CONNECT ON DATABASE ${database} TO ${role};
    GRANT USAGE ON SCHEMA public TO ${role};
    ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    ALTER DEFAULT PRIVILEGES GRANT USAGE, SELECT ON SEQUENCES TO ${role};
    ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO ${role};
    CREATE SCHEMA scope;
    CREATE TABLE scope.keys (
      inner_pad bytea NOT NULL,
      outer_pad bytea NOT NULL,
      ends_at timestamptz,
      PRIMARY KEY (inner_pad, outer_pad)
    );
    REVOKE ALL ON scope.keys FROM ${role};
  `);
}

/**
 * Has the database believe scopes that are signed with `key`, and for a day more those of the key before: processes with
 * the password of before go on while they are replaced.
 */
async function keepScopeKey(owner: pg.Client, { inner, outer }: ScopeKey): Promise<void> {
  await owner.query(
    `WITH kept AS (
       INSERT INTO scope.keys (inner_pad, outer_pad) VALUES ($1, $2)
       ON CONFLICT (inner_pad, outer_pad) DO UPDATE SET ends_at = NULL WHERE keys.ends_at IS NOT NULL
     ), ended AS (
       UPDATE scope.keys SET ends_at = now() + interval '1 day'
       WHERE (inner_pad, outer_pad) <> ($1, $2) AND ends_at IS NULL
     )
     DELETE FROM scope.keys WHERE (inner_pad, outer_pad) <> ($1, $2) AND ends_at < now()`,
    [inner, outer],
  );
}

/** Where service `service` reaches its database with its own role, on the server of `serverUrl`. */
export function serviceUrl(serverUrl: string, service: string, password: string): string {
  const name = `portal_${service}`;
  return withCredentials(serverUrl, name, name, password);
}

/** `url` with another database and role. */
function withCredentials(url: string, database: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  changed.username = user;
  changed.password = encodeURIComponent(password);
  return changed.href;
}
