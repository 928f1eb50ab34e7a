import { combinations, comparisons } from './filter-text.ts';
import type { KnownField } from './known-fields.ts';

export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'operator' | 'value';
  /** What replaces the text from `from` on. */
  readonly insert: string;
  /** Where the cursor stands then, in what was inserted. */
  readonly cursor: number;
}

export interface Suggestions {
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
}

interface Place {
  readonly kind: 'object' | 'array';
  /** The field that its conditions are about; empty at the top. */
  readonly field: string;
  isValue: boolean;
  key: string;
}

interface Word {
  readonly from: number;
  /** What is typed of it, without its quote. */
  readonly text: string;
  readonly isQuoted: boolean;
}

interface Context {
  readonly place: Place | undefined;
  readonly word: Word;
}

/** Reads the text before the cursor: in which object it stands, before or behind a colon, and the word that is being typed. */
function contextOf(text: string): Context {
  const places: Place[] = [];
  let word: Word | undefined;
  let index = 0;
  const endKey = (key: string) => {
    const place = places.at(-1);
    if (place?.kind === 'object' && !place.isValue) place.key = key;
  };
  const fieldBelow = (place: Place | undefined): string => {
    if (!place) return '';
    if (place.kind === 'array') return place.field;
    return place.key.startsWith('$') ? place.field : place.key;
  };
  while (index < text.length) {
    const character = text[index] ?? '';
    if (character === '"' || character === "'") {
      const end = endOfString(text, index);
      if (end === undefined) {
        return { place: places.at(-1), word: { from: index, text: text.slice(index + 1), isQuoted: true } };
      }
      endKey(text.slice(index + 1, end));
      index = end + 1;
      continue;
    }
    if (/[\w$.]/.test(character)) {
      const [found = ''] = /^[\w$.-]+/.exec(text.slice(index)) ?? [];
      word = { from: index, text: found, isQuoted: false };
      endKey(found);
      index += found.length;
      if (index >= text.length) return { place: places.at(-1), word };
      continue;
    }
    const place = places.at(-1);
    if (character === '{' || character === '[') {
      places.push({
        kind: character === '{' ? 'object' : 'array',
        field: fieldBelow(place),
        isValue: character === '[',
        key: '',
      });
    } else if (character === '}' || character === ']') places.pop();
    else if (character === ':' && place) place.isValue = true;
    else if (character === ',' && place?.kind === 'object') place.isValue = false;
    index += 1;
  }
  return { place: places.at(-1), word: { from: text.length, text: '', isQuoted: false } };
}

function endOfString(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === text[start]) return index;
  }
  return undefined;
}

/** What can follow at the end of `before`, the text before the cursor: fields, operators or values that a field has. */
export function suggest(before: string, after: string, fields: readonly KnownField[]): Suggestions {
  const { place, word } = contextOf(before);
  const typed = word.text.toLowerCase();
  // A field is found by any part of its path; values and operators are typed from their beginning.
  const isMatching = ({ kind, label }: Suggestion) => {
    const name = label.replace(/^"/, '').toLowerCase();
    return kind === 'field' ? name.includes(typed) : name.startsWith(typed);
  };
  const matching = (all: readonly Suggestion[]) => ({
    from: word.from,
    suggestions: all.filter(isMatching),
  });
  // A quote that is closed already stays behind what is inserted.
  const hasClosing = word.isQuoted && /^["']/.test(after);
  const keyOf = (name: string, value: string): Pick<Suggestion, 'insert' | 'cursor'> => {
    const quoted = JSON.stringify(name);
    if (hasClosing) return { insert: quoted.slice(0, -1), cursor: quoted.length - 1 };
    if (/^\s*:/.test(after)) return { insert: quoted, cursor: quoted.length };
    const insert = `${quoted}: ${value}`;
    const hole = insert.indexOf('|');
    return hole < 0 ? { insert, cursor: insert.length } : { insert: insert.replace('|', ''), cursor: hole };
  };
  const field = ({ path }: KnownField): Suggestion => ({ label: path, kind: 'field', ...keyOf(path, '') });
  const operator = (name: string, value = ''): Suggestion => ({
    label: name,
    kind: 'operator',
    ...keyOf(name, value),
  });

  if (!place) {
    if (before.trim() !== '' && word.text === '') return { from: word.from, suggestions: [] };
    // Nothing is written yet: the braces come with the first field.
    return matching(
      fields.map((one) => {
        const insert = `{ ${JSON.stringify(one.path)}:  }`;
        return { label: one.path, kind: 'field', insert, cursor: insert.length - 2 };
      }),
    );
  }
  if (place.kind === 'object' && !place.isValue) {
    return matching(
      place.field === ''
        ? [...fields.map(field), ...combinations.map((name) => operator(name, '[{ | }]'))]
        : comparisons.map((name) => operator(name, holes[name] ?? '')),
    );
  }
  return matching(valuesAt(place, fields, hasClosing));
}

const holes: Readonly<Record<string, string>> = { $in: '[|]', $nin: '[|]', $not: '{ | }', $regex: '"|"' };

function valuesAt(place: Place, fields: readonly KnownField[], hasClosing: boolean): readonly Suggestion[] {
  const values = (all: readonly unknown[]): Suggestion[] =>
    all.map((value) => {
      const text = JSON.stringify(value);
      const insert = hasClosing && text.endsWith('"') ? text.slice(0, -1) : text;
      return { label: text, kind: 'value', insert, cursor: insert.length };
    });
  if (place.kind === 'object' && place.key === '$exists') return values([true, false]);
  if (place.kind === 'object' && combinations.some((name) => name === place.key)) return [];
  const name = place.kind === 'object' && !place.key.startsWith('$') ? place.key : place.field;
  return values(fields.find(({ path }) => path === name)?.values ?? []);
}
