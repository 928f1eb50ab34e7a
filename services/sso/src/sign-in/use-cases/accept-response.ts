import { createHash, randomBytes } from 'node:crypto';
import { provideSsoUser } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { type Call, ofPartner } from '@portal/service-kit';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { provider } from '../../identity-provider/domain/provider.ts';
import type { Claims } from '../../saml/domain/claims.ts';
import { Refusal } from '../../saml/domain/refusal.ts';
import { findSetting, type Setting } from '../../settings/data/setting-repository.ts';
import { refreshDoubtedMetadata } from '../../settings/use-cases/refresh-metadata.ts';
import { insertCode } from '../data/code-repository.ts';
import { keepOutcome } from '../data/history-repository.ts';
import { isNewMessage, type SamlRequest, takeRequest } from '../data/request-repository.ts';
import { type Person, personOf } from '../domain/person.ts';
import { reasonOf } from '../domain/reason.ts';
import { answeredAt, requireRedirect } from '../domain/redirect.ts';
import { finishTest } from './finish-test.ts';
import { partyOf } from './send-request.ts';

const codeMs = 60_000;
/** What the message says that it answers, wherever it says so: what it has to answer, its reader is told. */
const answers = /\sInResponseTo\s*=\s*["']([\w.-]{1,100})["']/;

type Needed = Pick<
  Dependencies,
  | 'acceptsLoopback'
  | 'cipher'
  | 'clock'
  | 'fetchMetadata'
  | 'logger'
  | 'peers'
  | 'publicUrl'
  | 'redirectSchemes'
  | 'samlReader'
  | 'store'
>;

/**
 * Where a browser goes on that brings the response of a provider: back with a code, or with the code of a refusal. Why a response was
 * refused, the log and the setting say alone. Throws `E40037` for one that answers no request that is open.
 */
export async function acceptResponse(
  deps: Needed,
  message: string,
  call: { readonly scope: Scope } & Pick<Call, 'concerns' | 'requestId'>,
): Promise<string> {
  const { clock, store } = deps;
  const id = answers.exec(Buffer.from(message, 'base64').toString('latin1'))?.[1];
  if (id === undefined) throw new AppError('E40037');
  // Over with the first answer, whatever comes of it.
  const open = await store.write(call.scope, async ({ db }) => {
    const request = await takeRequest(db, id, clock.now());
    return request && { request, setting: await findSetting(db, request.partnerId) };
  });
  if (!open || open.request.kind === 'logout') throw new AppError('E40037');
  const { request, setting } = open;
  call.concerns({ kind: 'tenant', partnerId: request.partnerId });
  if (request.kind === 'test') {
    return finishTest(deps, request, setting && (async () => readPerson(deps, setting, request, message)));
  }
  const redirectUrl = request.redirectUrl ?? deps.publicUrl;
  // Turned off while they were at the provider.
  if (!setting?.useSso) return answeredAt(redirectUrl, { error: 'E40401' });
  let read: { claims: Claims; person: Person } | undefined;
  try {
    read = await readPerson(deps, setting, request, message);
    const code = await admit(deps, request, setting, read);
    return answeredAt(redirectUrl, { code });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof AppError)) throw error;
    const identifier = read?.person.identifier ?? null;
    return answeredAt(redirectUrl, {
      error: await noteRefusal(deps, { error, identifier, ...request }, call.requestId),
    });
  }
}

/** What the response says of whom. Throws `Refusal`. A provider that signs with a new key may say so in its metadata. */
async function readPerson(
  deps: Needed,
  setting: Setting,
  request: SamlRequest,
  message: string,
): Promise<{ claims: Claims; person: Person }> {
  const { partnerId } = request;
  let known: Setting | null = setting;
  let claims: Claims;
  try {
    claims = await readClaims(deps, setting, request, message);
  } catch (error) {
    const isOfNewKey = error instanceof Refusal && error.reason === 'wrongSignature';
    if (!isOfNewKey || !(await refreshDoubtedMetadata(deps, partnerId))) throw error;
    known = await deps.store.read(ofPartner(partnerId), (db) => findSetting(db, partnerId));
    if (!known) throw error;
    claims = await readClaims(deps, known, request, message);
  }
  return { claims, person: personOf(claims, known) };
}

async function readClaims(
  deps: Needed,
  setting: Setting,
  { id: requestId, partnerId }: SamlRequest,
  message: string,
): Promise<Claims> {
  const { clock, samlReader } = deps;
  const { partnerCode } = await knowPartner(deps, partnerId);
  const { acsUrl, entityId, privateKey } = await partyOf(deps, setting, partnerCode);
  const { certificates, entityId: issuer } = provider.parse(setting.provider);
  return samlReader.readResponse({
    message,
    provider: { entityId: issuer, certificates },
    audience: entityId,
    acsUrl,
    requestId,
    now: clock.now().getTime(),
    privateKeys: [privateKey],
  });
}

/** A code for one sign-in of this person, whom the user service knows from now on. */
async function admit(
  { clock, peers, publicUrl, redirectSchemes: schemes, store }: Needed,
  { codeChallenge, partnerId, redirectUrl }: SamlRequest,
  { defaultGroup }: Setting,
  { claims, person }: { readonly claims: Claims; readonly person: Person },
): Promise<string> {
  const { client } = requireRedirect(redirectUrl ?? publicUrl, { publicUrl, schemes });
  const { groupNames, ...named } = person;
  const { userId } = await peers.call(provideSsoUser, {
    body: {
      partnerId,
      ...named,
      client,
      ...(groupNames && { groupNames: [...groupNames] }),
      ...(defaultGroup !== null && { defaultGroupId: defaultGroup }),
    },
  });
  if (userId === null) throw new AppError('E40301');
  const code = randomBytes(32).toString('base64url');
  const now = clock.now();
  const isNew = await store.write(ofPartner(partnerId), async ({ db }) => {
    const hash = createHash('sha256').update(claims.assertionId).digest();
    const seen = { partnerId, hash, expiresAt: new Date(claims.validUntil) };
    if (!(await isNewMessage(db, seen))) return false;
    await insertCode(db, {
      codeHash: createHash('sha256').update(code).digest(),
      partnerId,
      accountId: userId,
      codeChallenge,
      nameId: claims.nameId,
      nameIdFormat: claims.nameIdFormat,
      sessionIndex: claims.sessionIndex,
      expiresAt: new Date(now.getTime() + codeMs),
    });
    await keepOutcome(db, { partnerId, at: now, identifier: person.identifier, reason: null });
    return true;
  });
  if (!isNew) throw new Refusal('replay');
  return code;
}

/** Tells the log and the setting why somebody was refused. Answers what the browser is told. */
async function noteRefusal(
  { clock, logger, store }: Needed,
  {
    error,
    identifier,
    partnerId,
  }: { readonly error: Refusal | AppError; readonly identifier: string | null; readonly partnerId: number },
  requestId: string,
): Promise<string> {
  const reason = reasonOf(error);
  logger.warn({ requestId, partnerId, reason }, 'A sign-in by single sign-on was refused');
  await store.write(ofPartner(partnerId), ({ db }) =>
    keepOutcome(db, { partnerId, at: clock.now(), identifier, reason }),
  );
  return error instanceof Refusal ? 'E40037' : error.code;
}
