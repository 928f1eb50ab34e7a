import { type EventData, entityIdOf, entityKeyOf, type ssoEvents } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError, fieldError } from '@portal/kernel';
import type { SsoDb } from '../../data/db.ts';
import type { Setting } from '../../data/generated/client.ts';
import type { Provider } from '../../identity-provider/domain/provider.ts';
import type { SettingContent } from '../domain/setting.ts';

export type { Setting } from '../../data/generated/client.ts';

/** The metadata of a setting, as it is stored. */
export interface StoredMetadata {
  readonly metadata: string;
  readonly provider: Provider;
  readonly certificateExpiresAt: Date;
  /** Null where it was given rather than fetched. */
  readonly metadataFetchedAt: Date | null;
  readonly metadataDueAt: Date | null;
}

interface Saved {
  readonly content: SettingContent;
  readonly partnerCode: string;
  readonly now: Date;
}

/** Throws `E40032` where the partner has one, and `E40029` on entityIdSuffix for the entity id of another. */
export async function insertSetting(
  db: SsoDb,
  partnerId: number,
  { content, metadata, now, partnerCode }: Saved & { readonly metadata: StoredMetadata },
): Promise<Setting> {
  const entityKey = entityKeyOf(partnerCode, content.entityIdSuffix);
  return uniqueEntity(async () =>
    db.setting.create({
      data: { partnerId, entityKey, ...content, ...metadata, createdAt: now, updatedAt: now },
    }),
  );
}

export async function findSetting(db: SsoDb, partnerId: number): Promise<Setting | null> {
  return db.setting.findUnique({ where: { partnerId } });
}

/** What the entity id of a partner ends with; null before the first save. */
export async function findEntityKey(db: SsoDb, partnerId: number): Promise<string | null> {
  const found = await db.setting.findUnique({ where: { partnerId }, select: { entityKey: true } });
  return found?.entityKey ?? null;
}

/** Tenants that share a provider; of more, who they are is not worked out. */
const mostOfProvider = 20;

/** The settings of all tenants with this provider, the first ones. */
export async function findSettingsOfProvider(db: SsoDb, entityId: string): Promise<Setting[]> {
  return db.setting.findMany({
    where: { provider: { path: ['entityId'], equals: entityId } },
    orderBy: { partnerId: 'asc' },
    take: mostOfProvider,
  });
}

export async function hasSetting(db: SsoDb, partnerId: number): Promise<boolean> {
  return (await db.setting.count({ where: { partnerId } })) > 0;
}

/** Holds the setting until the transaction ends. Throws `E40401` where there is none. */
export async function lockSetting(db: SsoDb, partnerId: number): Promise<Setting> {
  await db.$queryRaw`SELECT 1 FROM settings WHERE partner_id = ${partnerId} FOR UPDATE`;
  const setting = await db.setting.findUnique({ where: { partnerId } });
  if (!setting) throw new AppError('E40401');
  return setting;
}

/** Throws `E40029` on entityIdSuffix for the entity id of another. */
export async function saveSetting(
  db: SsoDb,
  partnerId: number,
  { content, metadata, now, partnerCode }: Saved & { readonly metadata: StoredMetadata | undefined },
): Promise<Setting> {
  const entityKey = entityKeyOf(partnerCode, content.entityIdSuffix);
  return uniqueEntity(async () =>
    db.setting.update({
      where: { partnerId },
      data: { entityKey, ...content, ...metadata, updatedAt: now },
    }),
  );
}

/** The setting under another code of its partner; undefined where that changes nothing, and where another partner has that entity id. */
export async function renameSetting(
  db: SsoDb,
  { entityIdSuffix, entityKey, partnerId }: Setting,
  partnerCode: string,
): Promise<Setting | undefined> {
  const renamed = entityKeyOf(partnerCode, entityIdSuffix);
  if (renamed === entityKey) return undefined;
  await db.$executeRaw`SAVEPOINT rename`;
  try {
    return await db.setting.update({ where: { partnerId }, data: { entityKey: renamed } });
  } catch (error) {
    if (!isUniqueViolation(error, 'settings_entity_key_key')) throw error;
    await db.$executeRaw`ROLLBACK TO SAVEPOINT rename`;
    return undefined;
  }
}

export async function deleteSettingRow(db: SsoDb, partnerId: number): Promise<void> {
  await db.setting.delete({ where: { partnerId } });
}

/** A setting whose metadata this instance is to fetch. */
export type ClaimedSetting = Pick<Setting, 'metadata' | 'partnerId'> & { readonly metadataUrl: string };

/** Those whose metadata is due, in the scope of all partners; they are due again at `again`. */
export async function claimDue(
  db: SsoDb,
  { again, most, now }: { readonly now: Date; readonly again: Date; readonly most: number },
): Promise<ClaimedSetting[]> {
  return db.$queryRaw<ClaimedSetting[]>`
    UPDATE settings SET metadata_due_at = ${again}, metadata_tried_at = ${now}
    WHERE partner_id IN (SELECT partner_id FROM settings
      WHERE metadata_due_at <= ${now} AND metadata_url IS NOT NULL
      ORDER BY metadata_due_at LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING partner_id AS "partnerId", metadata, metadata_url AS "metadataUrl"`;
}

/** That of a partner, unless it was given, or tried since `last`. */
export async function claimDoubt(
  db: SsoDb,
  { last, now, partnerId }: { readonly partnerId: number; readonly now: Date; readonly last: Date },
): Promise<ClaimedSetting | undefined> {
  const [claimed] = await db.$queryRaw<ClaimedSetting[]>`
    UPDATE settings SET metadata_tried_at = ${now}
    WHERE partner_id = ${partnerId} AND metadata_url IS NOT NULL
      AND (metadata_tried_at IS NULL OR metadata_tried_at <= ${last})
    RETURNING partner_id AS "partnerId", metadata, metadata_url AS "metadataUrl"`;
  return claimed;
}

/** What was fetched, where the setting still has that address. */
export async function saveMetadata(
  db: SsoDb,
  { metadataUrl, partnerId }: Omit<ClaimedSetting, 'metadata'>,
  metadata: StoredMetadata,
): Promise<void> {
  await db.setting.updateMany({ where: { partnerId, metadataUrl }, data: metadata });
}

/** An admin reads of it with the setting. */
export async function saveFailure(
  db: SsoDb,
  { metadataUrl, now, partnerId }: Omit<ClaimedSetting, 'metadata'> & { readonly now: Date },
): Promise<void> {
  await db.setting.updateMany({
    where: { partnerId, metadataUrl },
    data: { lastErrorAt: now, lastErrorReason: 'metadataNotFetched' },
  });
}

/** The number of a change that others are told of. */
export async function nextRevision(db: SsoDb, partnerId: number): Promise<number> {
  const { revision } = await db.settingRevision.upsert({
    where: { partnerId },
    create: { partnerId, revision: 1 },
    update: { revision: { increment: 1 } },
  });
  return revision;
}

/** What other services are told of a setting. */
export const settingStateOf = (
  { entityKey, partnerId, ssoOnly, useSso }: Setting,
  publicUrl: string,
  revision: number,
): EventData<typeof ssoEvents.settingCreated> => ({
  partnerId,
  revision,
  entityId: entityIdOf(publicUrl, entityKey),
  useSsoFlag: useSso,
  ssoOnly,
});

async function uniqueEntity<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'settings_pkey')) throw new AppError('E40032');
    if (isUniqueViolation(error, 'settings_entity_key_key')) {
      throw fieldError('E40029', 'entityIdSuffix', 'notUnique');
    }
    throw error;
  }
}
