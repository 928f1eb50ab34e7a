import { fileURLToPath } from 'node:url';

/** Folder of the migrations of the schema `messaging`, in Prisma's layout; each service's database needs them. */
export const messagingMigrations = fileURLToPath(new URL('../migrations', import.meta.url));
