/** The certificate of an identity provider, in base64 of DER, whose key nobody has any more; it ends in a hundred years. */
export const providerCertificate =
  'MIIDFzCCAf+gAwIBAgIUWZKKa8Ju0tdzhCD9huXgA/JAa3IwDQYJKoZIhvcNAQELBQAwGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyNTE2MTcyM1oYDzIxMjYxMTAxMTYxNzIzWjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCrJCRhStE5WEugspTiOA3ZQZSuN3oV1QCE9vrHtHdUSiWXLtnOLTkCiQqzXWZXx6DNuQvUAeoT72GvpgwbQBC7g/hN6gjLjaPCU3OUBX/9zXSMXOZK1hu/RM/4Tw4ayn1TZdqylpQcBnKAX0jQuPxZejOL2kDlRKBGx7Ph7sKEfCddbPVtZuxNy9S2MSEPK58lJBxvvD857j0uio0i1XZXa8Ft11v1mh14KQYGB8ey1vnEfcQyKKyUtELEgi8xwOXnYMlEex6aFCfYtjKHD9hmA0Se8wuNwuuULXieRWupiFV64g1Okpo1uowrxOcjb+uMT/499+0GoGVxVIJYHDZxAgMBAAGjUzBRMB0GA1UdDgQWBBQj/NKyMuNhuOcdkTn5Tju5EHkyzzAfBgNVHSMEGDAWgBQj/NKyMuNhuOcdkTn5Tju5EHkyzzAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBRLczUbkjiCQVhPHEggzXUWoK6WPmVUJWc5T8iWZbxkBo0ESu+3T4MC/BvLgjTrTnOHfNo4YJfIZEBj1zH3RvVru2Rw06ZxVsXnLp9qz1DUwLY6Tlj9QQbRUER4loFAeHT2M7wUmOMY3O1MZSpfclz3Z2l7obCJQVGSAEf3RnDb3kjLDk6R6ViKOIJzD3cDkv510QFODwG1IK1n+ptINAS4s1/0DU9HS7NHV8/WRAQaSKXkHTztpyhTEJLF4O17GNQy0+HJ+Vyse8I19yf91JLxsUhiMz0rqK4BEZSrn4/tmNXszk3b3CXW0aH7aFfY0/dgbGUWVDg0V0CX+b1HUuM';

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** Metadata of an identity provider. */
export function metadataXml({
  before = '',
  binding = redirect,
  certificates = [providerCertificate],
  entityId = 'https://idp.example.com/metadata',
  signOn = 'https://idp.example.com/sso',
  use = 'use="signing"',
}: {
  certificates?: readonly string[];
  before?: string;
  binding?: string;
  entityId?: string;
  signOn?: string;
  use?: string;
} = {}): string {
  const keys = certificates.map(
    (certificate) => `<md:KeyDescriptor ${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
      <ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>${before}
    <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        ${keys.join('\n')}
        <md:SingleLogoutService Binding="${redirect}" Location="https://idp.example.com/slo"/>
        <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
        <md:SingleSignOnService Binding="${binding}" Location="${signOn}"/>
        <md:SingleSignOnService Binding="${post}" Location="${signOn}/post"/>
      </md:IDPSSODescriptor>
    </md:EntityDescriptor>`;
}

/** Of a text, as metadata is sent. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
