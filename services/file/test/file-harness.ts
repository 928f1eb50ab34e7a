import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileRoutes, type RouteInput, tenantEvents, userEvents } from '@portal/contracts';
import {
  checkAddress,
  findAccount,
  findAdministrator,
  findPartner,
  findPushSending,
  findUnit,
  findUser,
  holdGroups,
  noteArrival,
  noteSent,
  openUserImport,
  releaseGroups,
  requireTwoAdmins,
} from '@portal/contracts/internal';
import { AppError, createLogger, fieldError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { createStorageHandler, tenantOf } from '@portal/storage';
import {
  type Actor,
  partnerActor,
  playerActor,
  type ServiceHarness,
  startServiceHarness,
} from '@portal/testing';
import { fileService } from '../src/service.ts';

export const admin = partnerActor();
export const developer = partnerActor({ accountId: 2, role: 16 });
export const stranger = partnerActor({ partnerId: 2, accountId: 9 });

/** The service with the storage's HTTP side, as a player or a browser reaches it. */
export interface FileHarness extends ServiceHarness {
  /** Sends bytes to a signed URL. */
  put(url: string, bytes: Uint8Array): Promise<Response>;
  get(url: string, headers?: Record<string, string>): Promise<Response>;
  /** A file with its bytes. */
  upload(file: UploadedFile, actor?: Actor): Promise<number>;
  assign(
    id: number,
    groupIds: number[],
    flags?: { notifyEmail?: boolean; notifyPush?: boolean },
  ): Promise<void>;
  /** What a player sees, in full. */
  delivered(userId: number, partnerId?: number): Promise<number[]>;
  partner(
    partnerId: number,
    uapFileLimit?: number,
    more?: Partial<typeof tenantEvents.partnerCreated.example>,
  ): Promise<void>;
  group(groupId: number, name: string, partnerId?: number): Promise<void>;
  user(userId: number, groupIds: number[], partnerId?: number): Promise<void>;
  /** The groups that the user service has, by their ids; `group` adds to them. */
  readonly groups: Map<number, { partnerId: number; name: string }>;
  /** What the user service was asked to hold, in order, without what was refused then. */
  readonly holds: RouteInput<typeof holdGroups>['body'][];
  /** The partners that the tenant service knows by their codes. */
  readonly codes: Map<string, typeof tenantEvents.partnerCreated.example>;
  /** The units that may deliver applications by themselves. */
  readonly forcing: Set<number>;
  /** The partners whose pushes can be sent. */
  readonly withCertificate: Set<number>;
  /** The partners that have two admins. */
  readonly withTwoAdmins: Set<number>;
  /** The roles of accounts, by their ids, where one counts; null: the account is gone. */
  readonly roles: Map<number, number | null>;
  /** The partners of whom an import of users is under way. */
  readonly busy: Set<number>;
}

interface UploadedFile {
  fileName: string;
  bytes?: Uint8Array;
  name?: string;
  deliverReservationAt?: string;
}

/** Partners from this id on the tenant service does not know. */
export const firstUnknownPartner = 900_000;

export const someBytes = (text = 'package') => new TextEncoder().encode(text);

export async function startFileHarness(env: Record<string, string> = {}): Promise<FileHarness> {
  const known = new Set<number>();
  const busy = new Set<number>();
  const codes: FileHarness['codes'] = new Map();
  const forcing = new Set<number>();
  const groups: FileHarness['groups'] = new Map();
  const holds: FileHarness['holds'] = [];
  const roles: FileHarness['roles'] = new Map();
  const withCertificate = new Set<number>();
  const withTwoAdmins = new Set<number>();
  let importId = 0;
  const harness = await startServiceHarness(fileService, {
    env,
    peers: [
      implement(findUser, async ({ body }) => {
        if (!known.has(body.id)) throw new AppError('E40403');
        return {};
      }),
      implement(findAccount, async ({ body }) => {
        const id = 'accountId' in body ? body.accountId : 0;
        const name = `Person ${id}`;
        const role = roles.get(id) ?? 0;
        if (roles.get(id) === null) throw new AppError('E40403');
        return { id, name, email: null, role, isUser: true, hasPassword: true, generation: 1 };
      }),
      implement(findAdministrator, async ({ body: { adminId } }) => ({ name: `Administrator ${adminId}` })),
      implement(findPartner, async ({ body }) => {
        const isKnown =
          'partnerId' in body ? body.partnerId < firstUnknownPartner : codes.has(body.partnerCode);
        if (!isKnown) throw new AppError('E40402');
        if ('partnerCode' in body) {
          return { ...tenantEvents.partnerCreated.data.parse(codes.get(body.partnerCode)), json: '' };
        }
        return {
          ...tenantEvents.partnerCreated.data.parse(tenantEvents.partnerCreated.example),
          ...body,
          json: '',
        };
      }),
      implement(findUnit, async ({ body: { unitId } }) => ({
        ...tenantEvents.unitCreated.example,
        unitId,
        name: `Unit ${unitId}`,
        canForceDistributeApp: forcing.has(unitId),
      })),
      implement(holdGroups, async ({ body }) => {
        const found = body.groupIds.flatMap((id) => {
          const group = groups.get(id);
          return group?.partnerId === body.partnerId ? [{ id, name: group.name }] : [];
        });
        if (found.length < body.groupIds.length) throw fieldError('E40404', 'groupIds', 'notFound');
        if (body.assignmentId !== undefined) holds.push(body);
        return { groups: found };
      }),
      implement(releaseGroups, async ({ body: { assignmentId } }) => {
        const at = holds.findIndex((hold) => hold.assignmentId === assignmentId);
        if (at >= 0) holds.splice(at, 1);
        return {};
      }),
      implement(requireTwoAdmins, async ({ body }) => {
        if (!withTwoAdmins.has(body.partnerId)) {
          throw fieldError('E40034', 'approvalRequired', 'twoAdminsNeeded');
        }
        return {};
      }),
      implement(findPushSending, async ({ body }) => ({ sends: withCertificate.has(body.partnerId) })),
      implement(openUserImport, async ({ body }) => {
        if (busy.has(body.partnerId)) throw new AppError('E40010');
        return { importId: ++importId };
      }),
    ],
  });
  let noting: Promise<unknown> = Promise.resolve();
  const handle = createStorageHandler({
    storage: harness.storage,
    signer: harness.signer,
    logger: createLogger({ level: 'fatal' }),
    // As the gateway does; sessions end there.
    async admit(grant) {
      const { sessionId: _session, ...use } = grant.use;
      const partnerId = tenantOf(grant.action === 'part' ? grant.upload.key : grant.key);
      if (use.purpose === 'export' || partnerId === undefined) throw new AppError('E40301');
      const body = { partnerId, ...use } as RouteInput<typeof checkAddress>['body'];
      const { status } = await harness.callAs('gateway', checkAddress, { body });
      if (status !== 200) throw new AppError('E40405');
    },
    onTransfer({ key, reachedEnd, use }) {
      const partnerId = tenantOf(key);
      if (!reachedEnd || use.purpose !== 'delivery' || !use.receiver || partnerId === undefined) return;
      const { accountId, fileId, receiver } = use;
      const sent = [{ partnerId, accountId, fileId, ...receiver, at: harness.clock.now().toISOString() }];
      noting = harness.callAs('gateway', noteSent, { body: { sent } });
    },
    async onArrival({ use, ...grant }, stored) {
      const partnerId = tenantOf(grant.action === 'part' ? grant.upload.key : grant.key);
      if (use.purpose !== 'upload' || partnerId === undefined) return;
      const { uploadId } = use;
      await harness.callAs('gateway', noteArrival, { body: { partnerId, uploadId, stored } });
    },
  });
  const server: Server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const local = (url: string) => url.replace('http://portal.test', `http://127.0.0.1:${port}`);

  const files: FileHarness = {
    ...harness,
    busy,
    codes,
    forcing,
    groups,
    holds,
    roles,
    withCertificate,
    withTwoAdmins,
    put: async (url, bytes) => fetch(local(url), { method: 'PUT', body: Buffer.from(bytes) }),
    get: async (url, headers = {}) => fetch(local(url), { headers }),

    async upload({ bytes = someBytes(), deliverReservationAt, fileName, name = fileName }, actor = admin) {
      const pid = actor.kind === 'tenant' ? actor.partnerId : 0;
      const created = await harness.call(
        fileRoutes.createFile,
        {
          params: { pid },
          body: {
            name,
            fileName,
            fileSize: bytes.length,
            ...(deliverReservationAt ? { deliverReservationAt } : {}),
          },
        },
        actor,
      );
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      await files.put(created.body.signedUrl, bytes);
      const { uploadId } = created.body;
      const done = await harness.call(
        fileRoutes.completeUpload,
        { params: { uploadId }, body: { parts: [] } },
        actor,
      );
      if (done.status !== 200) throw new Error(JSON.stringify(done.body));
      return created.body.id;
    },

    async assign(id, groupIds, flags = {}) {
      const done = await harness.call(
        fileRoutes.assignGroups,
        { params: { pid: 1, id }, body: { groupIds, ...flags } },
        admin,
      );
      if (done.status !== 200) throw new Error(JSON.stringify(done.body));
    },

    async delivered(userId, partnerId = 1) {
      const listed = await harness.call(
        fileRoutes.listDelivered,
        { query: { perPage: 100 } },
        playerActor({ accountId: userId, partnerId }),
      );
      return listed.body.files.map(({ id }) => id);
    },

    partner: async (partnerId, uapFileLimit = 0, more = {}) =>
      harness.deliver(tenantEvents.partnerCreated, {
        subject: partnerId,
        partnerId,
        data: { ...tenantEvents.partnerCreated.example, partnerId, uapFileLimit, ...more },
      }),

    async group(groupId, name, partnerId = 1) {
      groups.set(groupId, { partnerId, name });
      await harness.deliver(userEvents.groupCreated, {
        subject: groupId,
        partnerId,
        data: { groupId, name, note: '', role: 0 },
      });
    },

    async user(userId, groupIds, partnerId = 1) {
      const data = {
        userId,
        name: `user ${userId}`,
        email: null,
        loginUserId: `user${userId}`,
        role: 0,
        isUser: true,
        groupIds,
      };
      const event = { subject: userId, partnerId };
      if (known.has(userId)) {
        await harness.deliver(userEvents.userUpdated, { ...event, data: { ...data, endsSessions: false } });
      } else {
        await harness.deliver(userEvents.userCreated, { ...event, data });
      }
      known.add(userId);
    },

    async stop() {
      server.closeAllConnections();
      await noting;
      await new Promise((resolve) => server.close(resolve));
      await harness.stop();
    },
  };
  return files;
}
