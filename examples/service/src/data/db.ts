import type { Prisma } from './generated/client.ts';

/** The database of this service, in a transaction. */
export type NoticeDb = Prisma.TransactionClient;
