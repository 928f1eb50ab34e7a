import { deflateRawSync } from 'node:zlib';
import { SamlLib } from 'samlify';
import { rsaSha256, success, unspecified } from './names.ts';
import type { SamlParty } from './party.ts';

/** How a message gets to a provider: by an address that the browser goes to, or by a form that it posts. */
export type Outgoing =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'post'; readonly url: string; readonly fields: Readonly<Record<string, string>> };

/** Where a message goes. */
export interface Target {
  readonly binding: 'redirect' | 'post';
  readonly location: string;
}

interface Common {
  /** Of the message, beginning with `_`. */
  readonly id: string;
  readonly now: Date;
  readonly target: Target;
}

/** Asks a provider to sign somebody in; the response comes by POST to our only address for it. */
export function authnRequest(party: SamlParty, { id, now, target }: Common): Outgoing {
  return send(party, target, 'SAMLRequest', SamlLib.defaultLoginRequestTemplate.context, {
    ID: id,
    IssueInstant: now.toISOString(),
    Destination: target.location,
    ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
    AssertionConsumerServiceURL: party.acsUrl,
    AssertionConsumerServiceIndex: undefined,
    ForceAuthn: undefined,
    Issuer: party.entityId,
    // What a NameID is, the provider's setting says.
    NameIDFormat: unspecified,
    AllowCreate: 'true',
  });
}

/** Asks a provider to sign out whom it signed in. */
export function logoutRequest(
  party: SamlParty,
  {
    id,
    nameId,
    nameIdFormat,
    now,
    sessionIndex,
    target,
  }: Common & {
    readonly nameId: string;
    readonly nameIdFormat: string | null;
    readonly sessionIndex: string | null;
  },
): Outgoing {
  return send(party, target, 'SAMLRequest', SamlLib.defaultLogoutRequestTemplate.context, {
    ID: id,
    IssueInstant: now.toISOString(),
    Destination: target.location,
    Issuer: party.entityId,
    NameIDFormat: nameIdFormat ?? undefined,
    NameID: nameId,
    SessionIndex: sessionIndex ?? undefined,
  });
}

/** Tells a provider that whom it asked to sign out has been. */
export function logoutResponse(
  party: SamlParty,
  {
    id,
    inResponseTo,
    now,
    relayState,
    target,
  }: Common & { readonly inResponseTo: string; readonly relayState?: string | undefined },
): Outgoing {
  const values = {
    ID: id,
    IssueInstant: now.toISOString(),
    Destination: target.location,
    InResponseTo: inResponseTo,
    Issuer: party.entityId,
    StatusCode: success,
  };
  return send(
    party,
    target,
    'SAMLResponse',
    SamlLib.defaultLogoutResponseTemplate.context,
    values,
    relayState,
  );
}

type Field = 'SAMLRequest' | 'SAMLResponse';

function send(
  party: SamlParty,
  { binding, location }: Target,
  field: Field,
  template: string,
  values: Readonly<Record<string, string | undefined>>,
  relayState?: string,
): Outgoing {
  const message = SamlLib.replaceTagsByValue(template, values);
  const state = relayState === undefined ? {} : { RelayState: relayState };
  if (binding === 'post') {
    return { kind: 'post', url: location, fields: { [field]: signed(party, message), ...state } };
  }
  // What is signed is the query in this order, as it goes out.
  const query = Object.entries({
    [field]: deflateRawSync(message).toString('base64'),
    ...state,
    SigAlg: rsaSha256,
  })
    // An address has no apostrophe in its query: it would be escaped behind what is signed.
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`)
    .join('&');
  const signature = String(
    SamlLib.constructMessageSignature(query, party.privateKey, undefined, true, rsaSha256),
  );
  const url = `${location}${location.includes('?') ? '&' : '?'}${query}&Signature=${encodeURIComponent(signature)}`;
  return { kind: 'redirect', url };
}

/** With its signature inside, behind the issuer, in base64. */
function signed(party: SamlParty, message: string): string {
  const reference = "/*/*[local-name(.)='Issuer']";
  return String(
    SamlLib.constructSAMLSignature({
      rawSamlMessage: message,
      isMessageSigned: true,
      isBase64Output: true,
      privateKey: party.privateKey,
      privateKeyPass: '',
      signatureAlgorithm: rsaSha256,
      signingCert: party.certificate.replace(/-----[^-]+-----|\s/g, ''),
      signatureConfig: { prefix: 'ds', location: { reference, action: 'after' } },
    }),
  );
}
