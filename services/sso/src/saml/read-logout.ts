import { inflateRawSync } from 'node:zlib';
import { momentOf, requireTimes } from './conditions.ts';
import { Refusal } from './domain/refusal.ts';
import { messageLimits, parseMessage, readMessage, readText } from './markup.ts';
import { namespaces } from './names.ts';
import { requireSchema } from './schema.ts';
import { isSignedBy, verifySignature } from './signature.ts';
import { attribute, childNamed, childrenNamed, elementsIn, isNamed, textOf } from './xml.ts';

/** A message of single logout, by redirect as the query came, or by POST. */
export type LogoutMessage =
  | { readonly kind: 'redirect'; readonly query: string }
  | { readonly kind: 'post'; readonly message: string };

export interface LogoutToRead {
  readonly message: LogoutMessage;
  readonly provider: { readonly entityId: string; readonly certificates: readonly string[] };
  readonly sloUrl: string;
  readonly now: number;
}

export type Logout =
  | {
      readonly kind: 'request';
      readonly id: string;
      readonly nameId: string;
      /** None: all sessions of that person. */
      readonly sessionIndexes: readonly string[];
      /** Until when it could be shown again, in milliseconds since 1970. */
      readonly validUntil: number;
    }
  | { readonly kind: 'response'; readonly inResponseTo: string; readonly succeeded: boolean };

const { assertion: saml, protocol, signature: dsig } = namespaces;
/** How long ago a message may have been made that does not say until when it holds. */
const longestMs = 10 * 60_000;

/** What a message says of itself, before anything is proved: to find whose certificates prove it. */
export interface Outline {
  readonly kind: 'request' | 'response';
  readonly issuer: string;
  readonly inResponseTo: string | null;
}

/** Throws `Refusal` for what is no message of a logout. */
export function outlineOf(message: LogoutMessage): Outline {
  const root = rootOf(textIn(message));
  const isRequest = isNamed(root, protocol, 'LogoutRequest');
  if (!isRequest && !isNamed(root, protocol, 'LogoutResponse'))
    throw new Refusal('structure', 'not a logout');
  const issuer = childNamed(root, saml, 'Issuer');
  if (!issuer) throw new Refusal('issuer');
  return {
    kind: isRequest ? 'request' : 'response',
    issuer: textOf(issuer),
    inResponseTo: attribute(root, 'InResponseTo') ?? null,
  };
}

/** What a provider says. Throws `Refusal` unless it is signed, for us, and of now. */
export function readLogout({ message, now, provider, sloUrl }: LogoutToRead): Logout {
  const text = textIn(message);
  const sent = rootOf(text);
  const root =
    message.kind === 'redirect'
      ? requireDetached(message.query, sent, provider)
      : within(text, sent, provider);
  const issuer = childNamed(root, saml, 'Issuer');
  if (!issuer || textOf(issuer) !== provider.entityId) throw new Refusal('issuer', issuer && textOf(issuer));
  const destination = attribute(root, 'Destination');
  if (destination !== sloUrl) throw new Refusal('destination', destination);
  const madeAt = momentOf(attribute(root, 'IssueInstant') ?? '');
  if (madeAt > now + longestMs) throw new Refusal('notYetValid');
  if (madeAt < now - longestMs) throw new Refusal('expired');
  if (isNamed(root, protocol, 'LogoutResponse')) {
    const status = childNamed(root, protocol, 'Status');
    const code = status && childNamed(status, protocol, 'StatusCode');
    return {
      kind: 'response',
      inResponseTo: attribute(root, 'InResponseTo') ?? '',
      succeeded: (code && attribute(code, 'Value'))?.endsWith(':Success') ?? false,
    };
  }
  if (!isNamed(root, protocol, 'LogoutRequest')) throw new Refusal('structure', 'not a logout');
  const until = requireTimes(root, now);
  const name = childNamed(root, saml, 'NameID');
  if (!name || textOf(name) === '') throw new Refusal('subject', 'no NameID');
  return {
    kind: 'request',
    id: attribute(root, 'ID') ?? '',
    nameId: textOf(name),
    sessionIndexes: childrenNamed(root, protocol, 'SessionIndex').map(textOf),
    validUntil: Math.max(until ?? 0, madeAt + longestMs),
  };
}

function textIn(message: LogoutMessage): string {
  if (message.kind === 'post') return readMessage(message.message);
  const { SAMLRequest, SAMLResponse } = Object.fromEntries(new URLSearchParams(message.query));
  const packed = SAMLRequest ?? SAMLResponse;
  if (packed === undefined || (SAMLRequest !== undefined && SAMLResponse !== undefined)) {
    throw new Refusal('malformed', 'no message');
  }
  try {
    return readText(inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: messageLimits.bytes }));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('malformed', 'not deflated', { cause: error });
  }
}

function rootOf(text: string): Element {
  requireSchema(text);
  return parseMessage(text);
}

/** By redirect the query is signed, in the order that the standard has and with the escapes that it came with. */
function requireDetached(query: string, root: Element, { certificates }: LogoutToRead['provider']): Element {
  const parts = new Map<string, string>();
  for (const part of query.split('&')) {
    const [name = ''] = part.split('=', 1);
    // Twice, and nobody knows which one is signed.
    if (parts.has(name)) throw new Refusal('structure', 'a parameter twice');
    parts.set(name, part);
  }
  const values = new URLSearchParams(query);
  const signature = values.get('Signature');
  const algorithm = values.get('SigAlg');
  if (!signature || !algorithm) throw new Refusal('unsigned');
  const signed = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg']
    .flatMap((name) => parts.get(name) ?? [])
    .join('&');
  if (!isSignedBy(certificates, { algorithm, signed, signature: Buffer.from(signature, 'base64') })) {
    throw new Refusal('wrongSignature');
  }
  return root;
}

/** By POST the signature lies in the message; what it covers is read again. */
function within(text: string, sent: Element, { certificates }: LogoutToRead['provider']): Element {
  const signatures = [...elementsIn(sent)].filter(({ localName }) => localName === 'Signature');
  const signature = childNamed(sent, dsig, 'Signature');
  if (!signature) throw new Refusal('unsigned');
  if (signatures.length > 1) throw new Refusal('structure', 'several signatures');
  return parseMessage(verifySignature(text, signature, certificates));
}
