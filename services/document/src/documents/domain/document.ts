import { documentLimits, type FieldError } from '@portal/contracts';

/** A JSON object of the customer's. */
export type Json = Readonly<Record<string, unknown>>;

/** A document as a caller sends it, without what the service adds to it. */
export interface NewDocument {
  /** Absent: the service chooses. */
  readonly id: string | undefined;
  readonly content: Json;
}

/** Of a field in an error: the keys are the caller's, of any length. */
const longestPath = 255;

/**
 * Also what addresses have: what is none names no document. Neither `.` nor `..` is one: clients take them for folders, and so the
 * address of such a document for that of its collection.
 */
export const isDocumentId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= documentLimits.idMaxLength &&
  /^(?!\.{1,2}$)[A-Za-z0-9_.:-]+$/.test(value);

/** What is wrong with a document. */
export class Fault {
  readonly error: FieldError;
  constructor(error: FieldError) {
    this.error = error;
  }
}

/** The document in a parsed JSON text, or what is wrong with it. What the service adds to documents is passed over. */
export function documentIn(value: unknown): NewDocument | Fault {
  if (!isObject(value)) return new Fault({ field: '', message: 'documentObject' });
  const { _id: id, _created_at, _updated_at, _version, ...content } = value;
  const wrong = faultInside(content, 1);
  if (wrong) {
    const { path, ...why } = wrong;
    return new Fault({ field: path.reverse().join('.').slice(0, longestPath), ...why });
  }
  if (id !== undefined && !isDocumentId(id)) return new Fault({ field: '_id', message: 'documentId' });
  return { id, content };
}

/** What is stored of a document under an id that is known: the one in it is passed over, whatever it is. */
export function contentIn(value: Json): Json | Fault {
  const result = documentIn({ ...value, _id: undefined });
  return result instanceof Fault ? result : result.content;
}

interface FaultInside extends Pick<FieldError, 'message' | 'params'> {
  /** Where it is, from the inside out. */
  readonly path: string[];
}

function faultIn(value: unknown, level: number): FaultInside | undefined {
  switch (typeof value) {
    case 'string':
      return isStorable(value) ? undefined : { path: [], message: 'controlCharacter' };
    case 'number':
      // JSON has digits for numbers that no double holds.
      return Number.isFinite(value) ? undefined : { path: [], message: 'outOfRange' };
    case 'object':
      return value === null ? undefined : faultInside(value, level);
    default:
      return undefined;
  }
}

function faultInside(value: object, level: number): FaultInside | undefined {
  if (level > documentLimits.maxDocumentDepth) {
    return { path: [], message: 'documentDepth', params: { max: documentLimits.maxDocumentDepth } };
  }
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const wrong =
      isList || isKey(key) ? faultIn(inner, level + 1) : { path: [], message: 'documentKey' as const };
    if (!wrong) continue;
    wrong.path.push(key);
    return wrong;
  }
  return undefined;
}

const isKey = (key: string): boolean => !key.startsWith('$') && key !== '__proto__' && isStorable(key);

/** Neither NUL nor half of a pair of surrogates has a place in PostgreSQL or in UTF-8. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
