import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { userRoleBits } from '@portal/contracts';
import { findPartner as askForPartner } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner, type Peers, systemScope, type Worker } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { Destinations } from '../applications/domain/destinations.ts';
import { createApplication } from '../applications/use-cases/create-application.ts';
import type { Publisher } from '../applications/use-cases/publisher.ts';
import { wasEverAssigned } from '../assignments/data/assignment-repository.ts';
import { everyone } from '../assignments/domain/everyone.ts';
import { assignGroups } from '../assignments/use-cases/assign-groups.ts';
import { findGroupByName, findPartner } from '../copies/data/copies-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { findFileByName } from '../files/data/file-repository.ts';
import { createFile } from '../files/use-cases/create-file.ts';
import { findFirstVersion } from '../uploads/data/version-repository.ts';
import { completeUpload } from '../uploads/use-cases/complete-upload.ts';
import { demoPackage } from './demo-package.ts';

type SeedDependencies = Dependencies & { readonly peers: Peers; readonly verifier: Worker };

interface DemoFile {
  readonly name: string;
  readonly note: string;
  readonly fileName: string;
  readonly colour: readonly [number, number, number];
  readonly group: 'Sales' | 'everyone';
  readonly deliveredInDays?: number;
}

const partnerId = 1;
const day = 24 * 3_600_000;

const demoFiles: readonly DemoFile[] = [
  {
    name: 'Product tour',
    note: 'For the sales team',
    fileName: 'product-tour.uap',
    colour: [49, 130, 206],
    group: 'Sales',
  },
  {
    name: 'Company handbook',
    note: 'For everyone',
    fileName: 'company-handbook.ufpz',
    colour: [56, 161, 105],
    group: 'everyone',
  },
  {
    name: 'Next release',
    note: 'Delivered next week',
    fileName: 'next-release.uap',
    colour: [221, 107, 32],
    group: 'everyone',
    deliveredInDays: 7,
  },
];

const patienceMs = 30_000;
const pollMs = 200;

/**
 * The files of the demo's first partner, and applications for others, made through the same use cases as anybody's. It goes on where an earlier start
 * was broken off, and brings nothing back that was deleted.
 */
export async function seedDemo(deps: SeedDependencies): Promise<void> {
  const sales = await salesGroup(deps);
  if (sales === undefined) {
    deps.logger.warn('No demo files: the demo partner and its groups are not known');
    return;
  }
  for (const file of demoFiles) await seedFile(deps, file, file.group === 'Sales' ? sales : everyone);
  await seedApplications(deps);
}

/** One that is delivered, and one that is offered: to the tenants of the third unit alone. */
async function seedApplications(deps: SeedDependencies): Promise<void> {
  const partners = await partnersOfThirdUnit(deps);
  const [first] = partners;
  if (!first) return;
  const scope = systemScope('the demo publishes applications');
  const partnerIds = partners.map(({ partnerId: id }) => id).sort((a, b) => a - b);
  await seedApplication(deps, { adminId: 1, unitId: null, scope }, delivered, partnerIds);
  await seedApplication(deps, { adminId: 1, unitId: first.unitId, scope }, offered, 'all');
}

const delivered = {
  name: 'Safety guide',
  fileName: 'safety-guide.uap',
  saleType: 1,
  colour: [214, 69, 65],
} as const;
const offered = {
  name: 'Museum map',
  fileName: 'museum-map.ufpz',
  saleType: 2,
  colour: [128, 90, 213],
} as const;
const firstCode = 5001;
const partnersThere = 40;

async function partnersOfThirdUnit({ peers }: SeedDependencies) {
  const found = await Promise.all(
    Array.from({ length: partnersThere }, async (_, index) => {
      const body = { partnerCode: String(firstCode + index) };
      try {
        return [await peers.call(askForPartner, { body })];
      } catch (error) {
        // Somebody has deleted it.
        if (error instanceof AppError && error.code === 'E40402') return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

async function seedApplication(
  deps: SeedDependencies,
  publisher: Publisher,
  { colour, fileName, name, saleType }: typeof delivered | typeof offered,
  destinations: Destinations,
): Promise<void> {
  const { storage, store } = deps;
  const bytes = demoPackage(name, colour);
  const known = await store.read(ofPartner(operator), async (db) => findFileByName(db, operator, fileName));
  if (known?.deleted || known?.currentVersionId) return;
  const application = {
    name,
    fileName,
    fileSize: bytes.length,
    fingerprint: undefined,
    saleType,
    destinations,
    versionNote: '',
  };
  const { id } = known ?? (await createApplication(deps, publisher, application));
  const upload = await store.read(ofPartner(operator), async (db) => findFirstVersion(db, operator, id));
  if (!upload) return;
  await storage.put(upload.incomingKey, Readable.from([bytes]));
  await completeUpload(deps, { partnerId: operator, role: userRoleBits.admin }, upload.uploadId, []);
}

async function salesGroup({ store }: SeedDependencies): Promise<number | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = await store.read(ofPartner(partnerId), async (db) =>
      (await findPartner(db, partnerId)) ? findGroupByName(db, partnerId, 'Sales') : undefined,
    );
    if (found !== undefined || performance.now() > deadline) return found;
    await sleep(pollMs);
  }
}

async function seedFile(deps: SeedDependencies, file: DemoFile, groupId: number): Promise<void> {
  const { clock, storage, store } = deps;
  const { deliveredInDays, fileName, name, note } = file;
  const bytes = demoPackage(name, file.colour);
  const known = await store.read(ofPartner(partnerId), async (db) => findFileByName(db, partnerId, fileName));
  if (known?.deleted) return;
  const fileId =
    known?.id ??
    (
      await createFile(deps, {
        partnerId,
        name,
        note,
        fileName,
        fileSize: bytes.length,
        fingerprint: undefined,
        creator: null,
        versionNote: '',
        deliverReservationAt:
          deliveredInDays === undefined ? null : wholeSecond(clock.now().getTime() + deliveredInDays * day),
      })
    ).id;
  if (!known?.currentVersionId) {
    const upload = await store.read(ofPartner(partnerId), async (db) =>
      findFirstVersion(db, partnerId, fileId),
    );
    if (!upload) return;
    await storage.put(upload.incomingKey, Readable.from([bytes]));
    await completeUpload(deps, { partnerId, role: userRoleBits.admin }, upload.uploadId, []);
  }
  if (await store.read(ofPartner(partnerId), async (db) => wasEverAssigned(db, partnerId, fileId))) return;
  const admin = { partnerId, role: userRoleBits.admin };
  await assignGroups(deps, admin, fileId, { groupIds: [groupId], notifyEmail: false, notifyPush: false });
}

function wholeSecond(time: number): Date {
  return new Date(Math.floor(time / 1000) * 1000);
}
