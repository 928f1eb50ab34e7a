/** Limits of single sign-on; apart from the others, which every page of the web client loads. */
export const ssoLimits = {
  /** Bytes of the metadata of an identity provider, and of the body that brings it in base64. */
  maxMetadataSize: 1024 * 1024,
  maxSettingBody: 1536 * 1024,
  urlMaxLength: 2048,
  attributeMaxLength: 255,
  suffixMaxLength: 64,
  /** Bytes of a SAML response, and of the form that brings it in base64, whose characters take up to three. */
  maxResponseSize: 1024 * 1024,
  maxResponseBody: 4.5 * 1024 * 1024,
  relayStateMaxLength: 1024,
  /** Of a query that brings a message of SAML by redirect. */
  redirectMessageMaxLength: 16_384,
  agentMaxLength: 255,
  tokenNameMaxLength: 100,
  /** Tokens for provisioning of a tenant. */
  maxTokens: 5,
} as const;

const metadataPath = '/v1/user/login/sso/metadata';

/** What tells the entity id of a tenant from that of others. */
export const entityKeyOf = (partnerCode: string, suffix: string | null): string =>
  suffix ? `${partnerCode}-${suffix}` : partnerCode;

/** What the portal of a tenant is called at its identity provider. */
export const entityIdOf = (publicUrl: string, entityKey: string): string =>
  `${publicUrl}${metadataPath}/${entityKey}`;

/** Where the identity provider of a tenant reaches the portal, whose origin is `publicUrl`. */
export const ssoAddressesOf = (publicUrl: string, partnerCode: string) => ({
  acsUrl: `${publicUrl}/v1/user/login/sso/acs`,
  sloUrl: `${publicUrl}/v1/user/login/sso/slo`,
  spMetadataUrl: `${publicUrl}${metadataPath}?partner_code=${encodeURIComponent(partnerCode)}`,
});
