import type { Prisma } from './generated/client.ts';

export { PrismaClient } from './generated/client.ts';

export type PushDb = Prisma.TransactionClient;
