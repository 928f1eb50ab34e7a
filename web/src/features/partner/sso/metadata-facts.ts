/** What an admin recognises of the metadata of an identity provider. */
export interface MetadataFacts {
  readonly entityId: string;
}

const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata';

/** Undefined where the text is no metadata of an identity provider: the server looks more closely. */
export function metadataFacts(xml: string): MetadataFacts | undefined {
  // Nothing of SAML has one; a parser would resolve what it declares.
  if (/<!DOCTYPE/i.test(xml)) return undefined;
  const document = new DOMParser().parseFromString(xml.trim(), 'application/xml');
  const [provider] = document.getElementsByTagNameNS(metadataNamespace, 'IDPSSODescriptor');
  const entityId = provider?.parentElement?.getAttribute('entityID');
  return entityId ? { entityId } : undefined;
}
