import type { ServiceContext } from '@portal/service-kit';
import type { NoticeDb } from './data/db.ts';

type Context = ServiceContext<NoticeDb, unknown>;

/** What the use cases of this service are given; each names the part that it needs. */
export type Dependencies = Pick<Context, 'clock' | 'store'>;

/** What jobs need besides. */
export type JobDependencies = Dependencies & Pick<Context, 'databaseUrl' | 'logger' | 'storage'>;
