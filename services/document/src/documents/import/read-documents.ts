import { isUtf8 } from 'node:buffer';
import { documentLimits, type FieldError } from '@portal/contracts';
import { documentIn, Fault } from '../domain/document.ts';
import { createSplitter, type Item } from './json-items.ts';

/** A document of an import, or what is wrong with it, at its line. */
export interface ReadDocument {
  readonly line: number;
  /** Undefined where the sender chose none. */
  readonly id: string | undefined;
  /** Its content, as JSON text. */
  readonly json: string;
  /** As it came. */
  readonly bytes: number;
}
export interface BadLine {
  readonly line: number;
  readonly fault: FieldError;
}

/** The documents of a stream as it comes, some at a time: those that end in a chunk. */
export async function* readDocuments(
  content: AsyncIterable<Uint8Array>,
  options: { readonly mayBeArray: boolean },
): AsyncGenerator<readonly (ReadDocument | BadLine)[]> {
  const splitter = createSplitter(options);
  for await (const chunk of content) {
    yield splitter.push(chunk).map(readDocument);
    if (splitter.broken) break;
  }
  yield splitter.end().map(readDocument);
  if (splitter.broken) {
    yield [{ line: splitter.broken.line, fault: { field: '', message: 'documentArray' } }];
  }
}

function readDocument({ bytes, line }: Item): ReadDocument | BadLine {
  if (!bytes) {
    const params = { max: documentLimits.maxDocumentSize };
    return { line, fault: { field: '', message: 'documentTooLarge', params } };
  }
  if (!isUtf8(bytes)) return { line, fault: { field: '', message: 'notUtf8' } };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return { line, fault: { field: '', message: 'invalidjson' } };
  }
  const result = documentIn(value);
  if (result instanceof Fault) return { line, fault: result.error };
  // Texts alone wait for their batch: V8 would keep the objects long after it, and the process would grow.
  return { line, id: result.id, json: JSON.stringify(result.content), bytes: bytes.length };
}
