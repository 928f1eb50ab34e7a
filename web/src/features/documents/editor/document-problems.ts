import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** What is wrong with the text of a document, by the rules of the service. */
export type DocumentFault =
  | 'invalidSymbol'
  | 'keyExpected'
  | 'valueExpected'
  | 'colonExpected'
  | 'commaExpected'
  | 'notClosed'
  | 'stringNotClosed'
  | 'nothingAfter'
  | 'badEscape'
  | 'badCharacter'
  | 'badNumber'
  | 'notJson'
  | 'notObject'
  | 'tooLarge'
  | 'tooDeep'
  | 'dollarKey'
  | 'protoKey'
  | 'nul'
  | 'loneSurrogate'
  | 'numberTooLarge'
  | 'duplicateKey'
  | 'badId';

export interface DocumentProblem {
  readonly fault: DocumentFault;
  readonly from: number;
  readonly to: number;
  /** The key that it is about. */
  readonly key?: string;
}

export const documentLimits = { maxBytes: 1024 * 1024, maxDepth: 100 } as const;

const idForm = /^[\w.:-]{1,128}$/;

const faults: Readonly<Record<string, DocumentFault>> = {
  InvalidSymbol: 'invalidSymbol',
  InvalidNumberFormat: 'badNumber',
  UnexpectedEndOfNumber: 'badNumber',
  PropertyNameExpected: 'keyExpected',
  ValueExpected: 'valueExpected',
  ColonExpected: 'colonExpected',
  CommaExpected: 'commaExpected',
  CloseBraceExpected: 'notClosed',
  CloseBracketExpected: 'notClosed',
  EndOfFileExpected: 'nothingAfter',
  UnexpectedEndOfString: 'stringNotClosed',
  InvalidUnicode: 'badEscape',
  InvalidEscapeCharacter: 'badEscape',
  InvalidCharacter: 'badCharacter',
};

const faultOf = (code: ParseErrorCode): DocumentFault => faults[printParseErrorCode(code)] ?? 'notJson';

/** All that the service would refuse in the text of a document, with its place. Of errors of the syntax the first: others follow from it. */
export function documentProblems(text: string): readonly DocumentProblem[] {
  if (new Blob([text]).size > documentLimits.maxBytes) return [{ fault: 'tooLarge', from: 0, to: 0 }];
  if (deepestOf(text) > documentLimits.maxDepth) return [{ fault: 'tooDeep', from: 0, to: 0 }];
  let syntax: DocumentProblem | undefined;
  const found: DocumentProblem[] = [];
  const open: Set<string>[] = [];
  /** The key of the outermost object whose value comes next. */
  let topKey: string | undefined;
  let isObject = false;
  visit(
    text,
    {
      onObjectBegin(offset, length) {
        if (open.length === 0) isObject = true;
        else checkId(offset, length, undefined);
        open.push(new Set());
      },
      onObjectEnd: () => void open.pop(),
      onArrayBegin(offset, length) {
        checkId(offset, length, undefined);
        open.push(new Set());
      },
      onArrayEnd: () => void open.pop(),
      onObjectProperty(key, offset, length) {
        const keys = open.at(-1);
        const at = { from: offset, to: offset + length, key };
        if (keys?.has(key)) found.push({ fault: 'duplicateKey', ...at });
        keys?.add(key);
        if (key.startsWith('$')) found.push({ fault: 'dollarKey', ...at });
        if (key === '__proto__') found.push({ fault: 'protoKey', ...at });
        checkText(key, offset, length);
        topKey = open.length === 1 ? key : undefined;
      },
      onLiteralValue(value: unknown, offset, length) {
        if (typeof value === 'number' && !Number.isFinite(value))
          found.push({ fault: 'numberTooLarge', from: offset, to: offset + length });
        if (typeof value === 'string') checkText(value, offset, length);
        checkId(offset, length, value);
      },
      onError(code, offset, length) {
        syntax ??= {
          fault: faultOf(code),
          from: Math.min(offset, text.length),
          to: Math.min(offset + length, text.length),
        };
      },
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );

  function checkText(value: string, from: number, length: number): void {
    if (value.includes('\0')) found.push({ fault: 'nul', from, to: from + length });
    if (!value.isWellFormed()) found.push({ fault: 'loneSurrogate', from, to: from + length });
  }
  function checkId(from: number, length: number, value: unknown): void {
    if (open.length === 1 && topKey === '_id' && !(typeof value === 'string' && idForm.test(value)))
      found.push({ fault: 'badId', from, to: from + length });
    topKey = undefined;
  }

  if (syntax) return [syntax];
  if (!isObject) return [{ fault: 'notObject', from: 0, to: text.length }];
  return found.length > 0 || isJson(text) ? found : [{ fault: 'notJson', from: 0, to: text.length }];
}

/** How deeply brackets are nested, as fast as the text is read: nothing that recurses may see a deeper one. */
function deepestOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"' || character === '\n') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
