import type { Prisma } from './generated/client.ts';

export { PrismaClient } from './generated/client.ts';

export type DocumentDb = Prisma.TransactionClient;
