import { readFileSync } from 'node:fs';
import {
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { Refusal } from './domain/refusal.ts';

const protocol = 'saml-schema-protocol-2.0.xsd';
const others = ['saml-schema-assertion-2.0.xsd', 'xmldsig-core-schema.xsd', 'xenc-schema.xsd'];

const schemaOf = (name: string) => readFileSync(new URL(`./schemas/${name}`, import.meta.url));

let compiled: XsdValidator | undefined;

/** Made once in a thread: 12 MB and 40 ms. */
function validator(): XsdValidator {
  if (compiled) return compiled;
  xmlRegisterInputProvider(
    new XmlBufferInputProvider(Object.fromEntries(others.map((name) => [name, schemaOf(name)]))),
  );
  const schema = XmlDocument.fromBuffer(schemaOf(protocol), { url: protocol });
  try {
    compiled = XsdValidator.fromDoc(schema);
    return compiled;
  } finally {
    schema.dispose();
  }
}

const options = {
  option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_IGNORE_ENC,
};

/** Throws `Refusal` for what is not well-formed XML that the schemas of SAML allow. It never reads a file or the network. */
export function requireSchema(text: string): void {
  const schema = validator();
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromString(text, options);
    schema.validate(document);
  } catch (error) {
    throw new Refusal('malformed', error instanceof Error ? (error.message.split('\n')[0] ?? '') : '');
  } finally {
    document?.dispose();
  }
}
