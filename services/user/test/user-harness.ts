import { createPasswordQueue } from '@portal/accounts';
import { type RouteReply, type RouteRequest, tenantEvents, userRoutes } from '@portal/contracts';
import { findPartner, verifyLogin } from '@portal/contracts/internal';
import { enterScope, withClient } from '@portal/database';
import { AppError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { type Actor, partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { userService } from '../src/service.ts';

type NewUser = RouteRequest<typeof userRoutes.createUser>['body'];
type PartnerState = RouteReply<typeof findPartner>;
type Platform = NonNullable<RouteRequest<typeof verifyLogin>['body']['platform']>;

const plain: Omit<PartnerState, 'partnerId'> = {
  unitId: 1,
  name: 'A company',
  partnerCode: '1000',
  contractRank: 'enterprise',
  licenseType: 'user',
  licenseCount: 1_000_000,
  licenseExpiredOn: null,
  userDeviceLimit: 0,
  uapFileLimit: 0,
  filePublicFlag: true,
  operationLogDownloadFlag: false,
  lang: 'ja',
  json: '',
};

export const password = 'Passw0rd-1';

export interface UserHarness extends ServiceHarness {
  /** What the tenant service answers about partners of which no event has arrived. */
  readonly unheardPartners: Map<number, PartnerState>;
  /** A partner of its own, with an admin who calls. */
  partner(contract?: Partial<PartnerState>): Promise<TestPartner>;
  /** An account signs in to a player, with a password that it is given for this. */
  signInWith(
    platform: Partial<Platform> & { readonly uuid: string },
    account: { readonly partnerId: number; readonly accountId: number },
  ): Promise<{ status: number; code: string | undefined; registration: number | undefined }>;
  /** Holds a partner, as a change of its licences does, or all its accounts, until `work` ends or releases it. */
  whileHeld(
    partnerId: number,
    work: (release: () => Promise<void>) => Promise<void>,
    rows?: readonly ('accounts' | 'partners')[],
  ): Promise<void>;
}

export interface TestPartner {
  readonly pid: number;
  readonly actor: Actor;
  group(name: string): Promise<number>;
  user(fields: Partial<NewUser>): Promise<number>;
}

export async function startUserHarness(): Promise<UserHarness> {
  const unheardPartners = new Map<number, PartnerState>();
  const harness = await startServiceHarness(userService, {
    peers: [
      implement(findPartner, async ({ body }) => {
        const partner = 'partnerId' in body ? unheardPartners.get(body.partnerId) : undefined;
        if (!partner) throw new AppError('E40402');
        return partner;
      }),
    ],
  });
  let partners = 100;
  let logins = 0;
  const knownHash = createPasswordQueue().inBackground.hash(password);

  return {
    ...harness,
    unheardPartners,
    async signInWith(platform, { accountId, partnerId }) {
      const [login] = await harness.sql(
        `UPDATE accounts SET password_hash = $2 WHERE id = $1
         RETURNING email, CASE WHEN email IS NULL THEN login_user_id END AS "loginUserId"`,
        accountId,
        await knownHash,
      );
      const { body, status } = await harness.callAs('identity', verifyLogin, {
        body: {
          partnerId,
          password,
          ...Object.fromEntries(Object.entries(login ?? {}).filter(([, value]) => value !== null)),
          platform: { name: 'iPad', osType: 'ios', osVersion: '19.1', playerVersion: '5.0.0', ...platform },
        },
      });
      return {
        status,
        code: 'code' in body ? String(body.code) : undefined,
        registration: body.registration,
      };
    },
    async whileHeld(partnerId, work, rows = ['partners']) {
      await withClient(harness.databaseUrl, async (another) => {
        await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId });
        await another.query('BEGIN');
        for (const table of rows) {
          await another.query(`SELECT 1 FROM ${table} WHERE partner_id = $1 FOR UPDATE`, [partnerId]);
        }
        await work(async () => {
          await another.query('ROLLBACK');
        });
      });
    },
    async partner(contract = {}) {
      const pid = contract.partnerId ?? ++partners;
      // An id that no test creates, because callers cannot delete themselves.
      const actor = partnerActor({ partnerId: pid, accountId: 1_000_000 });
      await harness.deliver(tenantEvents.partnerCreated, {
        subject: pid,
        partnerId: pid,
        data: { ...plain, ...contract, partnerId: pid },
      });
      return {
        pid,
        actor,
        async group(name) {
          const request = { params: { pid }, body: { name } };
          return (await harness.call(userRoutes.createGroup, request, actor)).body.id;
        },
        async user(fields) {
          const byId = 'email' in fields ? {} : { loginUserId: `user-${++logins}`, password };
          const request = { params: { pid }, body: { name: 'A user', ...byId, ...fields } };
          const { body, status } = await harness.call(userRoutes.createUser, request, actor);
          if (status !== 201) throw new Error(JSON.stringify(body));
          return body.id;
        },
      };
    },
  };
}

export function stateOf(partnerId: number, contract: Partial<PartnerState> = {}): PartnerState {
  return { ...plain, ...contract, partnerId };
}
