// The next module needs it to be there first.
import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';
import { type RouteContract, type RouteRequest, tenantEvents, userEvents } from '@portal/contracts';
import { findPartner, findRecipients } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement } from '@portal/service-kit';
import { type Actor, partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { ssoService } from '../src/service.ts';

export interface SsoHarness extends ServiceHarness {
  /** A partner of its own, of whom an event has told. */
  partner(more?: Partial<typeof tenantEvents.partnerCreated.example>): Promise<TestPartner>;
}

export interface TestPartner {
  readonly pid: number;
  readonly code: string;
  readonly admin: Actor;
  /** A group that the user service has of it. */
  readonly groupId: number;
}

/** What the groups of partners are called; the id is ten times that of the partner. */
const groupOf = (partnerId: number) => partnerId * 10;

export async function startSsoHarness(
  options: {
    env?: Record<string, string>;
    log?: { write(line: string): void };
    peers?: readonly Implementation[];
  } = {},
): Promise<SsoHarness> {
  const harness = await startServiceHarness(ssoService, {
    ...options,
    env: { DEMO: '1', PUBLIC_URL: 'https://portal.example.com', ...options.env },
    peers: [
      implement(findPartner, async () => {
        throw new AppError('E40402');
      }),
      implement(findRecipients, async ({ body: { groupIds, partnerId } }) => ({
        groups: groupIds
          .filter((groupId) => groupId === groupOf(partnerId))
          .map((groupId) => ({ ...userEvents.groupCreated.example, groupId })),
        users: [],
      })),
      ...(options.peers ?? []),
    ],
  });
  let partners = 100;
  return {
    ...harness,
    async partner(more = {}) {
      partners += 1;
      const pid = partners;
      const code = more.partnerCode ?? `C${pid}`;
      const data = { ...tenantEvents.partnerCreated.example, partnerId: pid, ...more, partnerCode: code };
      await harness.deliver(tenantEvents.partnerCreated, { subject: pid, partnerId: pid, data });
      return { pid, code, admin: partnerActor({ partnerId: pid }), groupId: groupOf(pid) };
    },
  };
}

/** Calls a route that may be refused: its status, code and fields. */
export const trying =
  (harness: () => ServiceHarness) =>
  async <C extends RouteContract>(contract: C, request: Partial<RouteRequest<C>>, actor: Actor) => {
    const { body, status } = await harness().refused(contract, request, actor);
    if (status < 400) return [status];
    return [status, body.code, ...(body.errors ?? []).map(({ field }) => field)];
  };

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** A self-signed certificate in base64 of DER, as metadata has it. */
export async function providerCertificate(notAfter = new Date('2027-11-21T00:00:00Z')): Promise<string> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=idp.example.com',
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter,
    keys,
    signingAlgorithm: algorithm,
  });
  return Buffer.from(certificate.rawData).toString('base64');
}
