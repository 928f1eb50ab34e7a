/**
 * Why a message of an identity provider is refused. An administrator reads it to mend the setting; the browser never learns it.
 */
export const refusalReasons = [
  /** Not base64 of UTF-8, or not XML that the schemas of SAML allow. */
  'malformed',
  'tooLarge',
  'tooDeep',
  /** A DOCTYPE, an entity, a comment, CDATA or a processing instruction. */
  'forbiddenMarkup',
  /** No or several assertions, signatures in other places, repeated ids: what signature wrapping needs. */
  'structure',
  'unsigned',
  /** SHA-1, HMAC, or whatever else is not on the list. */
  'weakSignature',
  /** By a certificate that the setting does not have, or changed afterwards. */
  'wrongSignature',
  'encryption',
  /** The provider itself says that the sign-in has failed. */
  'status',
  'issuer',
  'audience',
  'recipient',
  'destination',
  'inResponseTo',
  'notYetValid',
  'expired',
  'subject',
  /** Neither an e-mail address nor a login user id. */
  'identifier',
  /** It was accepted before. */
  'replay',
  /** It took longer to read than anything honest does. */
  'tooSlow',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A message of an identity provider that is not accepted. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  /** What was found, for the log and an administrator: never a secret, at most 200 characters. */
  readonly detail: string;

  constructor(reason: RefusalReason, detail = '', options?: ErrorOptions) {
    super(detail === '' ? reason : `${reason}: ${detail}`, options);
    this.reason = reason;
    this.detail = detail.slice(0, 200);
  }
}
