// The next module needs it to be there first.
import 'reflect-metadata';
import { KeyObject } from 'node:crypto';
import { Extension, X509CertificateGenerator } from '@peculiar/x509';
import {
  type EventData,
  pushRoutes,
  type RouteContract,
  type RouteRequest,
  tenantEvents,
  type userEvents,
} from '@portal/contracts';
import { findPartner, findRecipients } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { type Actor, partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { serviceAccountKey } from '@portal/testing/service-account';
import { expect } from 'vitest';
import { pushService } from '../src/service.ts';

export interface PushHarness extends ServiceHarness {
  /** What the user service has of a partner of which no event has arrived. */
  readonly unheard: {
    partnerId: number;
    groups: EventData<typeof userEvents.groupCreated>[];
    users: EventData<typeof userEvents.userCreated>[];
  };
  /** A partner of its own, of whom an event has told. */
  partner(more?: Partial<typeof tenantEvents.partnerCreated.example>): Promise<TestPartner>;
}

export interface TestPartner {
  readonly pid: number;
  readonly admin: Actor;
  /** Sends pushes, and is no admin. */
  readonly sender: Actor;
  /** Registers a certification and gives its id. */
  certification(fields?: Partial<CertificationFields>): Promise<number>;
}

type CertificationFields = RouteRequest<typeof pushRoutes.createCertification>['body'];

export async function startPushHarness(
  options: { env?: Record<string, string>; log?: { write(line: string): void } } = {},
): Promise<PushHarness> {
  const unheard: PushHarness['unheard'] = { partnerId: 0, groups: [], users: [] };
  const harness = await startServiceHarness(pushService, {
    ...options,
    peers: [
      implement(findPartner, async () => {
        throw new AppError('E40402');
      }),
      implement(findRecipients, async ({ body: { groupIds, partnerId, userIds } }) => ({
        groups: unheard.groups.filter(
          ({ groupId }) => groupIds.includes(groupId) && partnerId === unheard.partnerId,
        ),
        users: unheard.users.filter(
          ({ userId }) => userIds.includes(userId) && partnerId === unheard.partnerId,
        ),
      })),
    ],
  });
  let partners = 100;
  return {
    ...harness,
    unheard,
    async partner(more = {}) {
      partners += 1;
      const pid = partners;
      const data = { ...tenantEvents.partnerCreated.example, partnerId: pid, ...more };
      await harness.deliver(tenantEvents.partnerCreated, { subject: pid, partnerId: pid, data });
      const admin = partnerActor({ partnerId: pid });
      return {
        pid,
        admin,
        sender: partnerActor({ partnerId: pid, accountId: 2, role: 1 }),
        async certification(fields = {}) {
          const body = { name: `App ${pid}`, apiKey: serviceAccountKey(), ...fields };
          const made = await harness.call(pushRoutes.createCertification, { params: { pid }, body }, admin);
          expect(made.status).toBe(201);
          return made.body.id;
        },
      };
    },
  };
}

/** The code of a refusal, with its status and fields. */
export const refusal = ({
  body,
  status,
}: Awaited<ReturnType<ServiceHarness['refused']>>): readonly (number | string)[] => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ field }) => field),
];

/** Calls a route that may be refused. */
export const trying =
  (harness: () => ServiceHarness) =>
  async <C extends RouteContract>(contract: C, request: Partial<RouteRequest<C>>, actor: Actor) =>
    refusal(await harness().refused(contract, request, actor));

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** A certificate as Apple issues them to who sends to an app, and its key, in PEM. */
export async function appCertificate({
  extension = '1.2.840.113635.100.6.3.2',
  notAfter = new Date('2027-11-21T00:00:00Z'),
  topic = 'com.example.app',
}: {
  topic?: string | null;
  notAfter?: Date;
  extension?: string;
} = {}): Promise<{ certificate: string; privateKey: string }> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const uid = topic === null ? '' : `0.9.2342.19200300.100.1.1=${topic}, `;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `${uid}CN=Apple Push Services`,
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter,
    keys,
    signingAlgorithm: algorithm,
    extensions: [new Extension(extension, false, new Uint8Array([5, 0]))],
  });
  return {
    certificate: certificate.toString('pem'),
    privateKey: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
