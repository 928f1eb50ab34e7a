import type { Store } from '@portal/service-kit';
import type { Prisma } from './generated/client.ts';

export { PrismaClient } from './generated/client.ts';

export type FileDb = Prisma.TransactionClient;
export type FileStore = Store<FileDb>;
