import type { TakenPush } from '@portal/push-stand-in';
import type { PushDb } from '../../data/db.ts';
import type { PushboxEntry } from '../../data/generated/client.ts';
import { tokenHashOf } from '../../devices/data/device-repository.ts';

const shown = 100;
const kept = 1_000;

/** Keeps what the stand-in has taken, and no more than the latest. */
export async function keepPushes(db: PushDb, pushes: readonly TakenPush[], receivedAt: Date): Promise<void> {
  // One that comes twice at this moment is one.
  const last = new Map(pushes.map((push) => [`${push.service} ${push.token} ${push.collapseKey}`, push]));
  const rows = [...last.values()].map(({ collapseKey, id, receivedAt: _, ...push }) => ({
    ...push,
    id,
    collapseKey: collapseKey ?? id,
    hash: tokenHashOf(push.service, push.token).toString('hex'),
  }));
  await db.$executeRaw`
    INSERT INTO pushbox_entries (service, token, collapse_key, partner_id, push_id, title, message, json, received_at)
    SELECT one.service, one.token, "collapseKey", d.partner_id, id, title, message, json, ${receivedAt}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS one (
      service text, token text, "collapseKey" text, id text, title text, message text, json text, hash text)
    LEFT JOIN devices d ON d.token_hash = decode(hash, 'hex')
    ORDER BY 1, 2, 3
    ON CONFLICT (token, service, collapse_key) DO UPDATE SET id = excluded.id, partner_id = excluded.partner_id,
      push_id = excluded.push_id, title = excluded.title, message = excluded.message, json = excluded.json,
      received_at = excluded.received_at`;
  await db.$executeRaw`
    DELETE FROM pushbox_entries WHERE id <= (SELECT id FROM pushbox_entries ORDER BY id DESC OFFSET ${kept} LIMIT 1)`;
}

/** The newest first. */
export async function listPushes(db: PushDb, token: string | undefined): Promise<PushboxEntry[]> {
  return db.pushboxEntry.findMany({
    where: token === undefined ? {} : { token },
    orderBy: { id: 'desc' },
    take: shown,
  });
}
