import { X509Certificate } from 'node:crypto';
import { ssoLimits } from '@portal/contracts';
import { parseXml, type XmlLimits, xmlText } from '../xml/read-xml.ts';
import type { Binding, Endpoint, Provider } from './domain/provider.ts';

const namespaces = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;
const samlProtocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const bindings: Readonly<Record<string, Binding>> = {
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect': 'redirect',
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST': 'post',
};
/** Real metadata has comments, and is deeper than messages. */
const limits: XmlLimits = {
  bytes: ssoLimits.maxMetadataSize,
  depth: 64,
  elements: 50_000,
  allowsOtherMarkup: true,
};
/** Of each kind, that are looked at. */
const most = { certificates: 10, endpoints: 10, formats: 10 };
const longest = { entityId: 1024, location: 2048 };

export interface ReadMetadata {
  /** The XML. */
  readonly metadata: string;
  readonly provider: Provider;
  /** When the first of its certificates ends. */
  readonly certificateExpiresAt: Date;
}

/**
 * What the metadata of one SAML identity provider says; undefined for XML that is none, with a signing certificate and a place to
 * sign in at. What is at places that `accepts` refuses is passed over. Throws `UnreadableXml`.
 */
export function readMetadata(
  bytes: Uint8Array,
  accepts: (address: string) => boolean,
): ReadMetadata | undefined {
  const metadata = xmlText(bytes, limits);
  const entities = entitiesIn(parseXml(metadata).documentElement);
  const descriptors = entities.flatMap((entity) =>
    children(entity, 'metadata', 'IDPSSODescriptor').filter(speaksSaml),
  );
  const [descriptor] = descriptors;
  // Of several it is not known which one is meant.
  if (!descriptor || descriptors.length > 1) return undefined;
  const entityId = (descriptor.parentNode as Element).getAttribute('entityID')?.trim() ?? '';
  const certificates = signingCertificates(descriptor);
  const signOn = endpoints(descriptor, 'SingleSignOnService', accepts);
  if (entityId === '' || entityId.length > longest.entityId) return undefined;
  if (certificates.length === 0 || signOn.length === 0) return undefined;
  return {
    metadata,
    provider: {
      entityId,
      certificates: certificates.map(({ raw }) => raw.toString('base64')),
      signOn,
      logout: endpoints(descriptor, 'SingleLogoutService', accepts),
      nameIdFormats: children(descriptor, 'metadata', 'NameIDFormat')
        .slice(0, most.formats)
        .map((format) => (format.textContent ?? '').trim().slice(0, longest.location)),
    },
    certificateExpiresAt: new Date(Math.min(...certificates.map(({ validToDate }) => validToDate.getTime()))),
  };
}

/** The one entity, or those of a list, which some providers put theirs into. */
function entitiesIn(root: Element): readonly Element[] {
  if (is(root, 'metadata', 'EntityDescriptor')) return [root];
  return is(root, 'metadata', 'EntitiesDescriptor') ? children(root, 'metadata', 'EntityDescriptor') : [];
}

const speaksSaml = (descriptor: Element): boolean =>
  (descriptor.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(samlProtocol);

/** Each once. A key without a use is for signing too. */
function signingCertificates(descriptor: Element): X509Certificate[] {
  const found = new Map<string, X509Certificate>();
  for (const key of children(descriptor, 'metadata', 'KeyDescriptor')) {
    if (!['', 'signing'].includes(key.getAttribute('use') ?? '')) continue;
    const texts = children(key, 'signature', 'KeyInfo')
      .flatMap((info) => children(info, 'signature', 'X509Data'))
      .flatMap((data) => children(data, 'signature', 'X509Certificate'));
    for (const { textContent } of texts) {
      const certificate = certificateIn(textContent ?? '');
      if (certificate && found.size < most.certificates) found.set(certificate.fingerprint256, certificate);
    }
  }
  return [...found.values()];
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    return undefined;
  }
}

function endpoints(descriptor: Element, name: string, accepts: (address: string) => boolean): Endpoint[] {
  const found: Endpoint[] = [];
  for (const element of children(descriptor, 'metadata', name)) {
    const binding = bindings[element.getAttribute('Binding') ?? ''];
    const location = (element.getAttribute('Location') ?? '').trim();
    const responseLocation = (element.getAttribute('ResponseLocation') ?? '').trim();
    const isUsable = [location, responseLocation || location].every(
      (address) => address.length <= longest.location && accepts(address),
    );
    if (binding && isUsable && found.length < most.endpoints) {
      found.push({ binding, location, responseLocation: responseLocation || null });
    }
  }
  return found;
}

function children(parent: Element, namespace: keyof typeof namespaces, name: string): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 1 && is(node as Element, namespace, name)) found.push(node as Element);
  }
  return found;
}

const is = (element: Element, namespace: keyof typeof namespaces, name: string): boolean =>
  element.namespaceURI === namespaces[namespace] && element.localName === name;
