import type { Prisma } from './generated/client.ts';

/** The database of this service, in a transaction. */
export type BatchDb = Prisma.TransactionClient;
