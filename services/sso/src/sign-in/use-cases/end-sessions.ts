import { createHash } from 'node:crypto';
import { endSsoSessions, ssoLogoutSeal } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { SsoDb } from '../../data/db.ts';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { provider } from '../../identity-provider/domain/provider.ts';
import { Refusal, type RefusalReason } from '../../saml/domain/refusal.ts';
import type { Outgoing } from '../../saml/messages.ts';
import type { Logout, LogoutMessage } from '../../saml/read-logout.ts';
import { findSetting, findSettingsOfProvider, type Setting } from '../../settings/data/setting-repository.ts';
import { deleteCodesOf } from '../data/code-repository.ts';
import { keepOutcome } from '../data/history-repository.ts';
import { insertRequest, isNewMessage, takeRequest, wasSeen } from '../data/request-repository.ts';
import {
  deleteSessions,
  findSession,
  findSessionsOf,
  type LoggedOut,
} from '../data/sso-session-repository.ts';
import { reasonOf } from '../domain/reason.ts';
import { newMessageId, partyOf, preferred, requestMs } from './send-request.ts';

type Needed = Pick<
  Dependencies,
  'cipher' | 'clock' | 'logger' | 'peers' | 'publicUrl' | 'samlReader' | 'store'
>;

/** What is refused only behind the signature of the provider. Of all else anybody could fill the notes of a tenant. */
const ofProvider: ReadonlySet<RefusalReason> = new Set([
  'destination',
  'expired',
  'issuer',
  'notYetValid',
  'replay',
  'subject',
]);

/** What the browser gets that brings a message of a logout. */
export type AfterLogout = Outgoing | { readonly kind: 'page'; readonly url: string };

/**
 * Does what a provider asks with a logout: ends the sessions of a person, and answers; or takes note of its answer to ours. Throws `E40037`
 * for what is not signed as it must be.
 */
export async function receiveLogout(
  deps: Needed,
  { message, relayState }: { readonly message: LogoutMessage; readonly relayState: string | undefined },
  scope: Scope,
): Promise<AfterLogout> {
  try {
    const outline = await deps.samlReader.outlineOf(message);
    if (outline.kind === 'response')
      return await takeAnswer(deps, message, outline.inResponseTo ?? '', scope);
    return await endAsAsked(deps, message, relayState, await settingsOf(deps, outline.issuer, scope));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    deps.logger.warn({ reason: reasonOf(error) }, 'A logout of an identity provider was refused');
    throw new AppError('E40037', [], { cause: error });
  }
}

/** Of a provider that several tenants share, each has a setting of its own. */
const settingsOf = async ({ store }: Needed, issuer: string, scope: Scope): Promise<Setting[]> =>
  store.read(scope, (db) => findSettingsOfProvider(db, issuer));

async function endAsAsked(
  deps: Needed,
  message: LogoutMessage,
  relayState: string | undefined,
  settings: readonly Setting[],
): Promise<AfterLogout> {
  let answered: { setting: Setting; requestId: string; ended: number } | undefined;
  let refusal = new Refusal('issuer', 'of no tenant');
  for (const setting of settings) {
    try {
      const logout = await readFor(deps, setting, message);
      if (logout.kind !== 'request') throw new Refusal('structure', 'no request');
      const ended = await endSessions(deps, setting.partnerId, logout);
      if (!answered || ended > answered.ended) answered = { setting, requestId: logout.id, ended };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
      if (settings.length === 1 && ofProvider.has(error.reason))
        await noteRefusal(deps, setting.partnerId, error);
    }
  }
  if (!answered) throw refusal;
  return answerOf(deps, answered.setting, answered.requestId, relayState);
}

const readFor = async (
  { clock, publicUrl, samlReader }: Needed,
  setting: Setting,
  message: LogoutMessage,
): Promise<Logout> => {
  const { certificates, entityId } = provider.parse(setting.provider);
  return samlReader.readLogout({
    message,
    provider: { entityId, certificates },
    sloUrl: `${publicUrl}/v1/user/login/sso/slo`,
    now: clock.now().getTime(),
  });
};

/** Answers how many sessions it ended. */
async function endSessions(
  deps: Needed,
  partnerId: number,
  { id, nameId, sessionIndexes, validUntil }: Extract<Logout, { kind: 'request' }>,
): Promise<number> {
  const hash = createHash('sha256').update(id).digest();
  const message = { partnerId, hash, expiresAt: new Date(validUntil) };
  return endSessionsOf(
    deps,
    { partnerId, nameId, sessionIndexes },
    {
      // Shown again, it ends nothing that began after it.
      before: async (db) => {
        if (await wasSeen(db, message)) throw new Refusal('replay');
      },
      done: async (db) => {
        if (!(await isNewMessage(db, message))) throw new Refusal('replay');
      },
    },
  );
}

/**
 * Ends the sessions of a person and the codes that would open more, and answers how many sessions that were. What is stored of a session goes
 * once it has ended, the last of it with what `done` writes: after a failure, whoever asks again finds the rest.
 */
async function endSessionsOf(
  { peers, store }: Needed,
  person: LoggedOut,
  {
    before,
    done,
  }: { readonly before?: (db: SsoDb) => Promise<void>; readonly done: (db: SsoDb) => Promise<void> },
): Promise<number> {
  const { partnerId } = person;
  let count = 0;
  let ended: readonly string[] = [];
  for (;;) {
    const sessionIds = await store.write(ofPartner(partnerId), async ({ db }) => {
      await deleteSessions(db, partnerId, ended);
      await deleteCodesOf(db, person);
      const open = await findSessionsOf(db, person);
      await (open.length > 0 ? before : done)?.(db);
      return open;
    });
    if (sessionIds.length === 0) return count;
    await peers.call(endSsoSessions, { body: { partnerId, sessionIds } });
    ended = sessionIds;
    count += sessionIds.length;
  }
}

async function noteRefusal({ clock, store }: Needed, partnerId: number, error: Refusal): Promise<void> {
  const outcome = { partnerId, at: clock.now(), identifier: null, reason: reasonOf(error) };
  await store.write(ofPartner(partnerId), ({ db }) => keepOutcome(db, outcome));
}

/** A provider without an address for it gets no answer. */
async function answerOf(
  deps: Needed,
  setting: Setting,
  inResponseTo: string,
  relayState: string | undefined,
): Promise<AfterLogout> {
  const { partnerCode } = await knowPartner(deps, setting.partnerId);
  const to = preferred(provider.parse(setting.provider).logout);
  if (!to) return signInPage(deps, partnerCode);
  const { binding, location, responseLocation } = to;
  const { logoutResponse } = await import('../../saml/messages.ts');
  return logoutResponse(await partyOf(deps, setting, partnerCode), {
    id: newMessageId(),
    now: deps.clock.now(),
    inResponseTo,
    // It is the provider's own, and only goes back to it.
    relayState,
    target: { binding, location: responseLocation ?? location },
  });
}

/** The browser is where it wanted to be: signed out. What the provider says of its own end changes nothing here. */
async function takeAnswer(
  deps: Needed,
  message: LogoutMessage,
  inResponseTo: string,
  scope: Scope,
): Promise<AfterLogout> {
  const { clock, logger, store } = deps;
  const open = await store.write(scope, async ({ db }) => {
    const request = await takeRequest(db, inResponseTo, clock.now());
    return request?.kind === 'logout' ? findSetting(db, request.partnerId) : null;
  });
  if (!open) throw new Refusal('inResponseTo');
  const logout = await readFor(deps, open, message);
  if (logout.kind === 'response' && !logout.succeeded) {
    logger.warn({ partnerId: open.partnerId }, 'An identity provider could not end a session everywhere');
  }
  const { partnerCode } = await knowPartner(deps, open.partnerId);
  return signInPage(deps, partnerCode);
}

/**
 * Takes the browser that has signed out of the portal to the provider, to end the session there too; with it end the
 * others that it opened here.
 */
export async function goToLogout(
  deps: Needed & Pick<Dependencies, 'seals'>,
  token: string,
  scope: Scope,
): Promise<AfterLogout> {
  const { clock, publicUrl, seals, store } = deps;
  const sessionId = opened(seals, token);
  const found =
    sessionId === undefined
      ? null
      : await store.read(scope, async (db) => {
          const session = await findSession(db, sessionId);
          return session && { session, setting: await findSetting(db, session.partnerId) };
        });
  if (!found?.setting) return { kind: 'page', url: `${publicUrl}/partner/login` };
  const { session, setting } = found;
  const { partnerCode } = await knowPartner(deps, setting.partnerId);
  const target = preferred(provider.parse(setting.provider).logout);
  if (!target) return signInPage(deps, partnerCode);
  const now = clock.now();
  const id = newMessageId();
  const { nameId, nameIdFormat, partnerId, sessionIndex } = session;
  const party = await partyOf(deps, setting, partnerCode);
  // The provider tells everybody of what ends there but who has asked for it.
  const person = { partnerId, nameId, sessionIndexes: sessionIndex === null ? [] : [sessionIndex] };
  await endSessionsOf(deps, person, {
    done: async (db) =>
      insertRequest(db, {
        id,
        partnerId,
        kind: 'logout',
        redirectUrl: null,
        codeChallenge: null,
        testId: null,
        expiresAt: new Date(now.getTime() + requestMs),
      }),
  });
  const { logoutRequest } = await import('../../saml/messages.ts');
  return logoutRequest(party, { id, now, nameId, nameIdFormat, sessionIndex, target });
}

function opened(seals: Dependencies['seals'], token: string): string | undefined {
  try {
    return seals.open(token, ssoLogoutSeal);
  } catch {
    return undefined;
  }
}

const signInPage = ({ publicUrl }: Needed, partnerCode: string): AfterLogout => ({
  kind: 'page',
  url: `${publicUrl}/partner/login/?partner_code=${encodeURIComponent(partnerCode)}`,
});
