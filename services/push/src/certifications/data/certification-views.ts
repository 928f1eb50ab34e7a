import {
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  type pushRoutes,
  type RouteInput,
  type RouteReply,
} from '@portal/contracts';
import { contains, listPage, pageReply } from '@portal/database';
import { operator } from '@portal/storage';
import type { PushDb } from '../../data/db.ts';
import { type Certification, Prisma } from '../../data/generated/client.ts';

type Query = RouteInput<typeof pushRoutes.listCertifications>['query'];
type OperatorRow = RouteReply<typeof pushRoutes.getOperatorCertification>;
type Row = RouteReply<typeof pushRoutes.getCertification>;

/** While a notification is one of these, its certification is in use. */
export const usingStatuses = ['waiting', 'delivering'];

export async function listCertifications(
  db: PushDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof pushRoutes.listCertifications>> {
  const where = asked(partnerId, query);
  if (query.all) {
    const all = await db.certification.findMany({ where, orderBy: [{ nameKey: 'asc' }, { id: 'asc' }] });
    return { certifications: all.map(({ id, name }) => ({ id, name: name ?? '' })) };
  }
  const totalCount = await db.certification.count({ where });
  const orderKey = query.orderKey === 'name' ? 'nameKey' : query.orderKey;
  const page = await db.certification.findMany({ where, ...listPage({ ...query, orderKey }) });
  const used = await inUse(
    db,
    partnerId,
    page.map(({ id }) => id),
  );
  return {
    ...pageReply(totalCount, query),
    certifications: page.map((one) => ownRow(one, used.has(one.id))),
  };
}

export async function certificationDetail(
  db: PushDb,
  partnerId: number,
  id: number,
): Promise<Row | undefined> {
  const one = await db.certification.findUnique({ where: { partnerId_id: { partnerId, id } } });
  return one ? ownRow(one, (await inUse(db, partnerId, [id])).has(id)) : undefined;
}

/** In the scope of all tenants, whose notifications use it. */
export async function operatorCertification(db: PushDb): Promise<OperatorRow | undefined> {
  const one = await db.certification.findFirst({ where: { partnerId: operator } });
  if (!one) return undefined;
  const used = await db.notification.findFirst({
    where: { certificationId: null, status: { in: usingStatuses } },
    select: { id: true },
  });
  return toRow(one, used !== null);
}

/** At most `take` of those that are asked for in the order of their ids, from behind the id `after`. */
export async function certificationsAfter(
  db: PushDb,
  partnerId: number,
  filter: Pick<Query, 'name'>,
  { after, take }: { readonly after: number; readonly take: number },
): Promise<Certification[]> {
  return db.certification.findMany({
    where: { ...asked(partnerId, filter), id: { gt: after } },
    orderBy: { id: 'asc' },
    take,
  });
}

/** Which of these notifications use. */
export async function inUse(
  db: PushDb,
  partnerId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT wanted.id FROM unnest(${[...ids]}::integer[]) AS wanted (id)
    WHERE EXISTS (SELECT FROM notifications WHERE partner_id = ${partnerId} AND certification_id = wanted.id
      AND status IN (${Prisma.join(usingStatuses)}))`;
  return new Set(rows.map(({ id }) => id));
}

function asked(partnerId: number, { name }: Pick<Query, 'name'>): Prisma.CertificationWhereInput {
  const part = contains(name === undefined ? undefined : foldCase(name));
  return { partnerId, ...(part && { nameKey: part }) };
}

const ownRow = (one: Certification, isUsed: boolean): Row => ({
  ...toRow(one, isUsed),
  name: one.name ?? '',
});

function toRow(one: Certification, inUse: boolean): OperatorRow {
  return {
    id: one.id,
    certificationFileName: one.certificationFileName,
    hasApiKey: one.projectId !== null,
    projectId: one.projectId,
    hasCertificate: one.certificate !== null,
    topic: one.topic,
    certificateExpiresAt: formatNullableDateTime(one.certificateExpiresAt),
    inUse,
    createdAt: formatDateTime(one.createdAt),
    updatedAt: formatDateTime(one.updatedAt),
  };
}
