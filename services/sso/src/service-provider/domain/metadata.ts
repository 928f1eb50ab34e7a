import { entityIdOf, ssoAddressesOf } from '@portal/contracts';

/** What an identity provider is told of the portal of a partner: SAML metadata of a service provider. */
export function serviceProviderMetadata({
  certificate,
  entityKey,
  partnerCode,
  publicUrl,
}: {
  /** In PEM. */
  readonly certificate: string;
  readonly entityKey: string;
  readonly partnerCode: string;
  readonly publicUrl: string;
}): string {
  const { acsUrl, sloUrl } = ssoAddressesOf(publicUrl, partnerCode);
  const key = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  // In the order of the schema.
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escaped(entityIdOf(publicUrl, entityKey))}">
  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${['signing', 'encryption'].map((use) => keyDescriptor(use, key)).join('\n')}
    <md:SingleLogoutService Binding="${binding('HTTP-Redirect')}" Location="${escaped(sloUrl)}"/>
    <md:SingleLogoutService Binding="${binding('HTTP-POST')}" Location="${escaped(sloUrl)}"/>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService index="0" isDefault="true" Binding="${binding('HTTP-POST')}" Location="${escaped(acsUrl)}"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

const binding = (name: string) => `urn:oasis:names:tc:SAML:2.0:bindings:${name}`;

const keyDescriptor = (use: string, key: string) => `    <md:KeyDescriptor use="${use}">
      <ds:KeyInfo>
        <ds:X509Data>
          <ds:X509Certificate>${key}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
    </md:KeyDescriptor>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
