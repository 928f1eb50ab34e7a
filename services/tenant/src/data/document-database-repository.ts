import { formatNullableDateTime } from '@portal/contracts';
import type { DatabaseState, KeyCipher, SealedColumn, Seals } from '@portal/service-kit';
import type { TenantDb } from './db.ts';

/** What the key of a database is sealed for, on its way here and where it is stored. */
const sealOf = (partnerId: number) => `document database ${partnerId}`;

export const sealedKeys: SealedColumn = {
  table: 'document_databases',
  column: 'api_key',
  key: { partner_id: 'integer' },
  of: (partnerId) => sealOf(Number(partnerId)),
};

/** Keeps what was told of the database of a tenant; one that is gone is not kept. */
export async function keepDatabase(
  db: TenantDb,
  { contractStatus, expireDate, partnerId, sealedKey, startDate, usageBytes = 0 }: DatabaseState,
  { cipher, seals }: { readonly cipher: KeyCipher; readonly seals: Seals },
): Promise<void> {
  if (contractStatus === undefined || !expireDate || !startDate || sealedKey === undefined) {
    await db.documentDatabase.deleteMany({ where: { partnerId } });
    return;
  }
  const seal = sealOf(partnerId);
  const database = {
    contractStatus,
    usageBytes: BigInt(usageBytes),
    startDate: new Date(startDate),
    expireDate: new Date(expireDate),
    apiKey: cipher.seal(seals.open(sealedKey, seal), seal),
  };
  await db.documentDatabase.upsert({
    where: { partnerId },
    create: { partnerId, ...database },
    update: database,
  });
}

/** What the summary of a tenant says of its document database; its key where `cipher` is given to open it. */
export async function databaseSummary(db: TenantDb, partnerId: number, cipher: KeyCipher | undefined) {
  const database = await db.documentDatabase.findUnique({ where: { partnerId } });
  return {
    docdbContractStatus: database?.contractStatus ?? 0,
    docdbUsageBytes: Number(database?.usageBytes ?? 0),
    docdbStartDate: formatNullableDateTime(database?.startDate ?? null),
    docdbExpireDate: formatNullableDateTime(database?.expireDate ?? null),
    docdbApiKey: (database && cipher?.open(database.apiKey, sealOf(partnerId))) ?? null,
  };
}
