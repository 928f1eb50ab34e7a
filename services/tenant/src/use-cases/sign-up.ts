import { createHash, randomBytes } from 'node:crypto';
import { type Language, tenantEvents } from '@portal/contracts';
import { type SignedUpAdmin, signedUpAdminSeal } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { type Clock, fieldError } from '@portal/kernel';
import { requestMail } from '@portal/mail-requests';
import type { Seals, Store, Transaction } from '@portal/service-kit';
import { isWithinReach } from '../data/application-repository.ts';
import type { TenantDb } from '../data/db.ts';
import type { Unit } from '../data/generated/client.ts';
import { insertSignUp, takeAddress } from '../data/sign-up-repository.ts';
import { findOwner, firstUnitId, lockUnit } from '../data/unit-repository.ts';
import { nextReminderAt } from '../domain/licence-end.ts';
import { openContract } from '../domain/partner.ts';
import {
  deletedAfter,
  endOfSignUp,
  linkUntil,
  personName,
  type SignedUpRank,
  type SignUpRequest,
} from '../domain/sign-up.ts';
import { requireLicences, type UnitLicences } from '../domain/unit.ts';
import { insertOpened, withCode } from './create-partner.ts';

export interface SignUpDependencies {
  readonly store: Store<TenantDb>;
  readonly clock: Clock;
  readonly seals: Seals;
  /** The unit of who names none; undefined: the first. */
  readonly signUpUnitId: number | undefined;
}

/** How the person who signs up will sign in. */
export type SignUpWay =
  | { readonly kind: 'password'; readonly passwordHash: string }
  /** They choose a password by the link of a mail. */
  | { readonly kind: 'link' }
  /** By their account at an identity provider, which has proved their address. */
  | { readonly kind: 'identity'; readonly identity: string };

/**
 * Opens a company as somebody signs it up, with its company admin. Until somebody follows the link of the mail nobody signs in to it,
 * and after seven days it is deleted. Throws `E40401` on outsourcingId for an unknown unit, `E40016` for a full one, `E40014` for a
 * code that is taken, `E40310` or `E40311` for an address that has or had such a company, `E40405` for an unknown application.
 */
export async function signUp(
  deps: SignUpDependencies,
  { language, rank, request, way }: SigningUp,
  scope: Scope,
): Promise<{ id: number; partnerCode: string }> {
  const now = deps.clock.now();
  return withCode(request.partnerCode, async (code) =>
    deps.store.write(scope, async (tx) => {
      const unit = await requireUnit(tx.db, request.outsourcingId || deps.signUpUnitId);
      const application = { applicationId: request.appId, unitId: unit.id };
      if (request.appId !== 0 && !(await isWithinReach(tx.db, application))) {
        throw fieldError('E40405', 'appId', 'notFound');
      }
      const inherits = request.inheritParentExpiry;
      const owner = inherits ? await findOwner(tx.db, unit) : null;
      const contract = {
        ...openContract(
          {
            name: request.companyName,
            unitId: unit.id,
            contractRank: rank,
            email: request.email,
            lang: language,
          },
          now,
        ),
        licenseExpiredOn: endOfSignUp(rank, { inherits, owner }, now),
      };
      requireLicences(unit, contract.licenseCount, 'outsourcingId');
      const awaitsActivation = way.kind !== 'identity';
      const nextReminder = awaitsActivation ? null : nextReminderAt(contract, now);
      const opening = { contract, partnerCode: code, nextReminder, awaitsActivation };
      const { id, partnerCode } = await insertOpened(tx, opening, { name: 'sign-up' }, now);
      await takeAddress(tx.db, { partnerId: id, contractRank: rank, email: request.email });
      const token = way.kind === 'password' ? randomBytes(32).toString('base64url') : null;
      await insertSignUp(tx.db, {
        partnerId: id,
        contractRank: rank,
        email: request.email,
        firstName: request.firstName,
        lastName: request.lastName,
        tel: request.tel,
        purpose: request.purpose ?? null,
        agreedToTermsAt: request.agreedToTerms ? now : null,
        inheritsExpiry: inherits,
        openedUntil: contract.licenseExpiredOn,
        tokenHash: token === null ? null : hashOfToken(token),
        tokenUntil: token === null ? null : linkUntil(now),
        signedUpAt: now,
        activatedAt: awaitsActivation ? null : now,
        deleteAfter: awaitsActivation ? deletedAfter(now) : null,
      });
      tell(tx, deps.seals, { id, partnerCode, rank, unitId: unit.id, request, way, language });
      if (token !== null) {
        requestMail(tx, deps.seals, {
          partnerId: id,
          content: {
            template: 'signUpActivation',
            to: request.email,
            name: personName(request, language),
            language,
            token,
            partnerCode,
          },
        });
      }
      return { id, partnerCode };
    }),
  );
}

interface SigningUp {
  readonly rank: SignedUpRank;
  readonly request: SignUpRequest;
  readonly way: SignUpWay;
  /** Of the visitor: of the mail, and of the company until it chooses another. */
  readonly language: Language;
}

/** Of the link: the mail alone has the token itself. */
export const hashOfToken = (token: string): Buffer<ArrayBuffer> =>
  createHash('sha256').update(token).digest();

async function requireUnit(db: TenantDb, asked: number | undefined): Promise<Unit & UnitLicences> {
  const id = asked ?? (await firstUnitId(db));
  const unit = id === undefined ? null : await lockUnit(db, id);
  if (!unit) throw fieldError('E40401', 'outsourcingId', 'notFound');
  return unit;
}

/** Tells of the sign-up, and has the company admin made. */
function tell(
  { outbox }: Transaction<TenantDb>,
  seals: Seals,
  {
    id,
    language,
    rank,
    request,
    unitId,
    way,
  }: Omit<SigningUp, 'rank'> & {
    readonly id: number;
    readonly partnerCode: string;
    readonly rank: SignedUpRank;
    readonly unitId: number;
  },
): void {
  outbox.append(tenantEvents.partnerSignedUp, {
    subject: id,
    partnerId: id,
    data: { partnerId: id, unitId, contractRank: rank, applicationId: request.appId || null },
  });
  const admin: SignedUpAdmin = {
    name: personName(request, language),
    email: request.email,
    passwordHash: way.kind === 'password' ? way.passwordHash : null,
    identity: way.kind === 'identity' ? way.identity : null,
  };
  outbox.append(tenantEvents.companyAdminRequested, {
    subject: id,
    partnerId: id,
    data: { partnerId: id, sealed: seals.seal(JSON.stringify(admin), signedUpAdminSeal(id), 'user') },
  });
}
