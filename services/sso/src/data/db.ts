import type { Prisma } from './generated/client.ts';

export { PrismaClient } from './generated/client.ts';

export type SsoDb = Prisma.TransactionClient;
