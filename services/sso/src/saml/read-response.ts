import { leeway, momentOf, requireTimes } from './conditions.ts';
import type { Claims } from './domain/claims.ts';
import { Refusal } from './domain/refusal.ts';
import { decryptAssertion } from './encryption.ts';
import { parseMessage, readMessage, requireParsableMessage } from './markup.ts';
import { bearer, namespaces, success } from './names.ts';
import { requireSchema } from './schema.ts';
import { verifySignature } from './signature.ts';
import { attribute, childNamed, childrenNamed, elementsIn, isNamed, textOf } from './xml.ts';

/** A response of a provider, and all that it has to fit. */
export interface ResponseToRead {
  /** The form field SAMLResponse. */
  readonly message: string;
  readonly provider: { readonly entityId: string; readonly certificates: readonly string[] };
  readonly audience: string;
  readonly acsUrl: string;
  /** The id of our request that it answers. */
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Private keys in PEM, for encrypted assertions. */
  readonly privateKeys: readonly string[];
}

const { assertion: saml, protocol, signature: dsig } = namespaces;

interface Structure {
  readonly response: Element;
  readonly responseSignature: Element | undefined;
  /** The one that there is, encrypted or not. */
  readonly assertion: Element | undefined;
  readonly encrypted: Element | undefined;
}

/**
 * What a provider says of a person. Throws `Refusal` unless all of it is as it must be; it says what is wrong to an administrator
 * alone.
 */
export function readResponse(expected: ResponseToRead): Claims {
  const text = readMessage(expected.message);
  requireSchema(text);
  const { response, text: signed } = signedPart(text, structureOf(text), expected);
  const assertion = isNamed(signed, saml, 'Assertion') ? signed : childNamed(signed, saml, 'Assertion');
  if (!assertion) throw new Refusal('structure', 'no assertion');
  requireResponse(response, expected);
  return claimsOf(assertion, expected);
}

/** Parses a response, and finds what there may be but once, in the one place where it may be. */
function structureOf(text: string): Structure {
  const response = parseMessage(text);
  if (!isNamed(response, protocol, 'Response')) throw new Refusal('structure', 'not a response');
  const all = [...elementsIn(response)];
  requireUniqueIds(all);
  // By their local names: nobody may take something of another namespace for one.
  const [found, ...more] = all.filter(({ localName }) =>
    ['Assertion', 'EncryptedAssertion'].includes(localName),
  );
  if (!found) {
    requireSuccess(response);
    throw new Refusal('structure', 'no assertion');
  }
  const isThere = ['Assertion', 'EncryptedAssertion'].some(
    (name) => childNamed(response, saml, name) === found,
  );
  if (more.length > 0 || !isThere) throw new Refusal('structure', 'several assertions, or in other places');
  if (all.filter(({ localName }) => localName === 'Response').length > 1) {
    throw new Refusal('structure', 'several responses');
  }
  const signatures = all.filter(({ localName }) => localName === 'Signature');
  const responseSignature = childNamed(response, dsig, 'Signature');
  const assertionSignature = childNamed(found, dsig, 'Signature');
  if (signatures.some((one) => one !== responseSignature && one !== assertionSignature)) {
    throw new Refusal('structure', 'a signature in another place');
  }
  const isEncrypted = isNamed(found, saml, 'EncryptedAssertion');
  return {
    response,
    responseSignature,
    assertion: isEncrypted ? undefined : found,
    encrypted: isEncrypted ? found : undefined,
  };
}

function requireUniqueIds(elements: readonly Element[]): void {
  const ids = new Set<string>();
  for (const element of elements) {
    for (const { localName, value } of Array.from(element.attributes)) {
      if (localName.toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw new Refusal('structure', 'an id twice');
      ids.add(value);
    }
  }
}

/**
 * What is signed, parsed again from what the signature covers: the response, or the assertion. `response` is the former, or what
 * was sent.
 */
function signedPart(
  text: string,
  { assertion, encrypted, response, responseSignature }: Structure,
  { privateKeys, provider }: ResponseToRead,
): { readonly response: Element; readonly text: Element } {
  const open = (encryptedElement: Element) => decryptAssertion(encryptedElement, privateKeys);
  if (responseSignature) {
    // Held to the schemas as it came: prefixes that only values use are not in canonical XML.
    const verified = verifySignature(text, responseSignature, provider.certificates);
    let within = structureOf(verified);
    if (within.encrypted) {
      const plain = open(within.encrypted);
      requireSchema(withAssertion(text, within.encrypted, plain));
      within = structureOf(withAssertion(verified, within.encrypted, plain));
    }
    return { response: within.response, text: within.response };
  }
  const opened = encrypted ? withAssertion(text, encrypted, open(encrypted)) : text;
  if (encrypted) requireSchema(opened);
  const read = encrypted ? structureOf(opened) : { assertion, response, responseSignature };
  const signature = read.assertion && childNamed(read.assertion, dsig, 'Signature');
  if (!signature || read.responseSignature) throw new Refusal('unsigned');
  const verified = parseMessage(verifySignature(opened, signature, provider.certificates));
  if (!isNamed(verified, saml, 'Assertion')) throw new Refusal('structure', 'something else is signed');
  return { response: read.response, text: verified };
}

/** The document with the assertion in the place of the encrypted one, as text: it is held to all rules once more. */
function withAssertion(text: string, { nodeName }: Element, plain: string): string {
  // There is but one of this name, and nothing that hides text from parsers.
  const from = text.indexOf(`<${nodeName}`);
  const end = text.lastIndexOf(`</${nodeName}`);
  const until = text.indexOf('>', end) + 1;
  if (from < 0 || end < from || until === 0) throw new Refusal('structure', 'an encrypted assertion');
  const opened = text.slice(0, from) + plain + text.slice(until);
  requireParsableMessage(opened);
  return opened;
}

function requireResponse(response: Element, expected: ResponseToRead): void {
  requireSuccess(response);
  const issuer = childNamed(response, saml, 'Issuer');
  if (issuer && textOf(issuer) !== expected.provider.entityId) throw new Refusal('issuer', textOf(issuer));
  const destination = attribute(response, 'Destination');
  if (destination !== expected.acsUrl) throw new Refusal('destination', destination);
  if (attribute(response, 'InResponseTo') !== expected.requestId) throw new Refusal('inResponseTo');
}

function requireSuccess(response: Element): void {
  const status = childNamed(response, protocol, 'Status');
  const code = status && childNamed(status, protocol, 'StatusCode');
  const value = code && attribute(code, 'Value');
  if (value === success) return;
  const second = code && childNamed(code, protocol, 'StatusCode');
  const names = [value, second && attribute(second, 'Value')].filter((name) => name !== undefined);
  throw new Refusal('status', names.map((name) => name.slice(name.lastIndexOf(':') + 1)).join(', '));
}

function claimsOf(assertion: Element, expected: ResponseToRead): Claims {
  const issuer = childNamed(assertion, saml, 'Issuer');
  if (!issuer || textOf(issuer) !== expected.provider.entityId) {
    throw new Refusal('issuer', issuer && textOf(issuer));
  }
  const conditions = childNamed(assertion, saml, 'Conditions');
  if (!conditions) throw new Refusal('audience', 'no conditions');
  const until = requireTimes(conditions, expected.now);
  requireAudience(conditions, expected.audience);
  const { name, validUntil } = requireSubject(assertion, expected);
  const statements = childrenNamed(assertion, saml, 'AuthnStatement');
  for (const one of statements) {
    const end = attribute(one, 'SessionNotOnOrAfter');
    if (end !== undefined && momentOf(end) <= expected.now - leeway) throw new Refusal('expired', end);
  }
  const [statement] = statements;
  return {
    assertionId: attribute(assertion, 'ID') ?? '',
    nameId: textOf(name),
    nameIdFormat: attribute(name, 'Format') ?? null,
    sessionIndex: (statement && attribute(statement, 'SessionIndex')) ?? null,
    attributes: attributesOf(assertion),
    validUntil: Math.max(until ?? 0, validUntil) + leeway,
  };
}

/** Each restriction has to name us. */
function requireAudience(conditions: Element, audience: string): void {
  const restrictions = childrenNamed(conditions, saml, 'AudienceRestriction').map((one) =>
    childrenNamed(one, saml, 'Audience').map(textOf),
  );
  if (restrictions.length === 0 || !restrictions.every((names) => names.includes(audience))) {
    throw new Refusal('audience', restrictions.flat()[0]);
  }
}

/** Of whom it is, and until when. One of the confirmations has to fit; the refusal is of the first. */
function requireSubject(
  assertion: Element,
  { acsUrl, now, requestId }: ResponseToRead,
): { readonly name: Element; readonly validUntil: number } {
  const subject = childNamed(assertion, saml, 'Subject');
  const name = subject && childNamed(subject, saml, 'NameID');
  if (!name || textOf(name) === '') throw new Refusal('subject', 'no NameID');
  let refusal: Refusal | undefined;
  for (const one of childrenNamed(subject, saml, 'SubjectConfirmation')) {
    if (attribute(one, 'Method') !== bearer) continue;
    try {
      const data = childNamed(one, saml, 'SubjectConfirmationData');
      const recipient = data && attribute(data, 'Recipient');
      if (!data || recipient !== acsUrl) throw new Refusal('recipient', recipient);
      if (attribute(data, 'InResponseTo') !== requestId) throw new Refusal('inResponseTo');
      const validUntil = requireTimes(data, now);
      if (validUntil === null) throw new Refusal('subject', 'no NotOnOrAfter');
      return { name, validUntil };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new Refusal('subject', 'not confirmed');
}

function attributesOf(assertion: Element): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  const byFriendlyName = new Map<string, string[]>();
  for (const statement of childrenNamed(assertion, saml, 'AttributeStatement')) {
    for (const one of childrenNamed(statement, saml, 'Attribute')) {
      const values = childrenNamed(one, saml, 'AttributeValue').map(textOf);
      add(byName, attribute(one, 'Name'), values);
      add(byFriendlyName, attribute(one, 'FriendlyName'), values);
    }
  }
  return Object.fromEntries([...byFriendlyName, ...byName]);
}

function add(to: Map<string, string[]>, name: string | undefined, values: readonly string[]): void {
  if (name !== undefined) to.set(name, [...(to.get(name) ?? []), ...values]);
}
