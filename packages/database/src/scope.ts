import { hash, hkdfSync } from 'node:crypto';
import type pg from 'pg';

/** The rows that a transaction can read and write: those of one partner, of one unit and its partners, or all. */
export type Scope =
  | { readonly kind: 'partner'; readonly partnerId: number }
  | { readonly kind: 'unit'; readonly unitId: number }
  | {
      readonly kind: 'system';
      /** What needs the rows of all tenants; the span of the transaction tells it. */
      readonly why: string;
    };

/** Makes the statement that gives a connection its scope. */
export type ScopeSigner = (scope: Scope, lasts: 'session' | 'transaction') => pg.QueryConfig;

/**
 * Signs scopes for one connection. The policies of the database believe no other: whoever gets SQL of their own into a
 * statement can set `app.scope` but not sign it, and a signature serves on its own connection alone.
 */
export async function createScopeSigner(client: pg.ClientBase, key: ScopeKey): Promise<ScopeSigner> {
  // Queried, because the process id that the connection got at its start is wrong behind a pooler.
  const { rows } = await client.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid');
  const backend = rows[0]?.pid;
  return (scope, lasts) => {
    const named = nameOf(scope);
    const signature = hmac(key, `${backend} ${named}`);
    return {
      // As a parameter: other connections of the role can read the text of a query, and could keep it for one that comes
      // later on this. Without a name: a prepared statement that has one can be replaced by SQL.
      text: `SELECT pg_catalog.set_config('app.scope', $1, ${lasts === 'transaction'})`,
      values: [`${named} ${signature}`],
    };
  };
}

/** Sets the scope of a separate connection, opened with `url`, until it closes. */
export async function enterScope(client: pg.ClientBase, url: string, scope: Scope): Promise<void> {
  const signed = await createScopeSigner(client, scopeKeyOf(url));
  await client.query(signed(scope, 'session'));
}

/** What HMAC-SHA256 begins its two hashes with: the key, padded. */
export interface ScopeKey {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

/**
 * The key of HMAC-SHA256 that a role signs its scopes with, from its password: what the service has already, the step that
 * makes the role knows, and no statement can read.
 */
export function scopeKeyOf(url: string): ScopeKey {
  const { password, username } = new URL(url);
  if (password === '') throw new Error(`The role ${username} has no password to sign scopes with`);
  const info = `portal row scope of ${decodeURIComponent(username)}`;
  const key = Buffer.alloc(64);
  Buffer.from(hkdfSync('sha256', decodeURIComponent(password), '', info, 32)).copy(key);
  const padded = (pad: number) => Buffer.from(key.map((byte) => byte ^ pad));
  return { inner: padded(0x36), outer: padded(0x5c) };
}

/** By hand: Node's own takes ten times as long for a message as short, and each transaction has one. */
function hmac({ inner, outer }: ScopeKey, message: string): string {
  const within = hash('sha256', Buffer.concat([inner, Buffer.from(message)]), 'buffer');
  return hash('sha256', Buffer.concat([outer, within]));
}

function nameOf(scope: Scope): string {
  switch (scope.kind) {
    case 'partner':
      return `partner ${wholeNumber('partner', scope.partnerId)}`;
    case 'unit':
      return `unit ${wholeNumber('unit', scope.unitId)}`;
    case 'system':
      return 'system 0';
  }
}

/** A scope in the words of a span: whose rows, and why all. */
export function describeScope(scope: Scope): string {
  return scope.kind === 'system' ? `system: ${scope.why}` : nameOf(scope);
}

function wholeNumber(what: string, id: number): number {
  if (!Number.isSafeInteger(id)) throw new Error(`Not a ${what} id: ${id}`);
  return id;
}
