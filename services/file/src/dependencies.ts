import type { Clock, Logger } from '@portal/kernel';
import type { DirectStore } from '@portal/service-kit';
import type { ObjectStorage } from '@portal/storage';
import type { FileStore } from './data/db.ts';
import type { ChangeWatch } from './delivery/data/change-watch.ts';
import type { SharedAnswers } from './delivery/data/shared-answers.ts';
import type { RequirePilots } from './rollouts/use-cases/pilots.ts';
import type { Creator } from './uploads/data/version-repository.ts';

/** Bytes that a tenant may store; 0 is unlimited. */
export type QuotaOf = (partnerId: number) => Promise<number>;

/** Who makes a version: a person of a tenant or, of an application, an administrator; null where there is nobody. */
export type CreatorOf = (who: {
  readonly partnerId: number;
  readonly accountId: number;
}) => Promise<Creator | null>;

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies {
  readonly store: FileStore;
  readonly direct: DirectStore;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly watch: ChangeWatch;
  readonly answers: SharedAnswers;
  readonly quotaOf: QuotaOf;
  readonly creatorOf: CreatorOf;
  readonly requirePilots: RequirePilots;
}
