import { databaseRoutes, tenantEvents } from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import {
  type Actor,
  adminActor,
  partnerActor,
  type ServiceHarness,
  startServiceHarness,
} from '@portal/testing';
import { documentService } from '../src/service.ts';

export interface DocumentHarness extends ServiceHarness {
  /** A partner of its own, of whom an event has told. */
  partner(more?: Partial<typeof tenantEvents.partnerCreated.example>): Promise<TestPartner>;
  /** A partner with a database on trial. */
  partnerWithDatabase(contract?: Partial<Contract>): Promise<TestPartner & TestDatabase>;
}

export interface TestPartner {
  readonly pid: number;
  readonly admin: Actor;
  /** Writes documents, and is no admin. */
  readonly developer: Actor;
  /** Sends pushes, and reads documents. */
  readonly sender: Actor;
}

export interface TestDatabase {
  readonly db: string;
  readonly apiKey: string;
}

interface Contract {
  readonly contractStatus: 1 | 2;
  readonly expireDate: string;
}

export const operator = adminActor();
export const defaultContract: Contract = { contractStatus: 1, expireDate: '2026-12-21T09:00:00Z' };

export async function startDocumentHarness(
  options: { env?: Record<string, string>; log?: { write(line: string): void } } = {},
): Promise<DocumentHarness> {
  const harness = await startServiceHarness(documentService, {
    ...options,
    peers: [
      implement(findPartner, async () => {
        throw new AppError('E40402');
      }),
    ],
  });
  let partners = 100;

  async function partner(more: Partial<typeof tenantEvents.partnerCreated.example> = {}) {
    partners += 1;
    const pid = partners;
    const data = { ...tenantEvents.partnerCreated.example, partnerId: pid, ...more };
    await harness.deliver(tenantEvents.partnerCreated, { subject: pid, partnerId: pid, data });
    return {
      pid,
      admin: partnerActor({ partnerId: pid }),
      developer: partnerActor({ partnerId: pid, accountId: 2, role: 16 }),
      sender: partnerActor({ partnerId: pid, accountId: 3, role: 1 }),
    };
  }

  return {
    ...harness,
    partner,
    async partnerWithDatabase(contract = {}) {
      const made = await partner();
      const { body, status } = await harness.call(
        databaseRoutes.createDatabase,
        { params: { pid: made.pid }, body: { ...defaultContract, ...contract } },
        operator,
      );
      if (status !== 201) throw new Error(`No database was made: ${status}`);
      return { ...made, db: body.db, apiKey: body.apiKey };
    },
  };
}

/** The code of a refusal, with its status and fields; of what is not refused the status alone. */
export const refusal = ({
  body,
  status,
}: Awaited<ReturnType<ServiceHarness['refused']>>): readonly (number | string)[] =>
  status < 400 ? [status] : [status, body.code, ...(body.errors ?? []).map(({ field }) => field)];
