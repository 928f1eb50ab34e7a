import { identityEvents } from '../packages/contracts/src/index.ts';
import { withClient } from '../packages/database/src/index.ts';
import { systemClock } from '../packages/kernel/src/index.ts';
import { appendToOutbox, createEvent, pgExecutor } from '../packages/messaging/src/index.ts';
import { findInstallation } from './installation.ts';

/** For the last administrator who has lost the second factor: whoever has the server may take it away. */

const usage = `npm run two-factor:reset -- <e-mail>

Takes the two factors of an administrator of the platform or of a unit away, and ends their sessions. They sign in with the
password and set them up again.

The portal is found by DATABASE_URL, else by DATA_DIR (.data by default).
Exit code: 0 done, 1 failed or nothing to take away, 2 not understood.`;

const [email, ...more] = process.argv.slice(2);
if (email === undefined || more.length > 0 || email.startsWith('-')) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    await reset(email);
    console.log(`${email} signs in with the password alone`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

interface EndedSession {
  readonly id: string;
  readonly expires_at: Date;
}

async function reset(address: string): Promise<void> {
  const { adminUrl } = await findInstallation(process.env);
  const url = new URL(adminUrl);
  url.pathname = '/portal_identity';
  await withClient(url.href, async (client) => {
    const clock = systemClock();
    await client.query('BEGIN');
    // Whoever may act for the owner need not sign it.
    await client.query(`SET LOCAL app.scope = 'system'`);
    const found = await client.query<{ id: number }>(
      'SELECT id FROM admins WHERE lower(email) = lower($1) FOR UPDATE',
      [address],
    );
    const id = found.rows[0]?.id;
    if (id === undefined) throw new Error(`No administrator has the address ${address}`);
    const own = `account_kind = 'admin' AND account_id = $1`;
    const ended = await client.query<EndedSession>(
      `UPDATE sessions SET revoked_at = now() WHERE ${own} AND revoked_at IS NULL AND expires_at > now()
       RETURNING id, expires_at`,
      [id],
    );
    const off = await client.query<{ revision: number }>(
      `UPDATE two_factors SET secret = NULL, enabled_at = NULL, last_step = NULL, revision = revision + 1
       WHERE ${own} AND enabled_at IS NOT NULL RETURNING revision`,
      [id],
    );
    const revision = off.rows[0]?.revision;
    if (revision === undefined) throw new Error(`${address} has no two factors`);
    await client.query(`DELETE FROM recovery_codes WHERE ${own}`, [id]);
    await client.query(`DELETE FROM challenges WHERE ${own}`, [id]);
    const made = { source: 'identity', clock };
    const changed = { accountKind: 'admin', accountId: id, revision, enabled: false } as const;
    await appendToOutbox(pgExecutor(client), [
      ...ended.rows.map((session) =>
        createEvent(
          identityEvents.sessionRevoked,
          {
            subject: session.id,
            partnerId: null,
            data: {
              sessionId: session.id,
              accountKind: 'admin',
              accountId: id,
              expiresAt: session.expires_at.toISOString(),
            },
          },
          made,
        ),
      ),
      createEvent(
        identityEvents.twoFactorChanged,
        { subject: String(id), partnerId: null, data: changed },
        made,
      ),
    ]);
    await client.query('COMMIT');
  });
}
