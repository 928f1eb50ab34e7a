import { documentLimits } from '@portal/contracts';

/**
 * A regular expression in RE2's syntax, read so far that each engine can be given its own words for it. What engines differ in
 * is spelled out: classes by their characters, `.` and anchors by what RE2 means with them.
 */
export interface Pattern {
  readonly alternatives: readonly (readonly Piece[])[];
}

export type Piece =
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly Range[] }
  | { readonly kind: 'assertion'; readonly at: 'start' | 'end' | 'word' | 'noWord' }
  | { readonly kind: 'group'; readonly pattern: Pattern }
  | {
      readonly kind: 'repeat';
      readonly piece: Piece;
      readonly min: number;
      readonly max: number | undefined;
    };

/** First and last character. */
type Range = readonly [number, number];

/** How deeply groups stand in each other, and how many pieces a pattern has once repetitions are written out. */
const deepest = 20;
const largest = 1_000;
/** PostgreSQL repeats no more often. */
const mostRepeats = 255;

/** What a `$regex` says; undefined where it is none, or more than is offered. */
export function parsePattern(text: string): Pattern | undefined {
  if (text.length > documentLimits.regexMaxLength || text.includes('\0') || !text.isWellFormed())
    return undefined;
  try {
    const reader = new PatternReader([...text]);
    const pattern = reader.pattern(1);
    return reader.isDone && sizeOf(pattern) <= largest ? pattern : undefined;
  } catch (error) {
    if (error instanceof NoPattern) return undefined;
    throw error;
  }
}

class NoPattern extends Error {}

function sizeOf(pattern: Pattern): number {
  const sizeOfPiece = (piece: Piece): number => {
    switch (piece.kind) {
      case 'group':
        return sizeOf(piece.pattern);
      case 'repeat':
        return sizeOfPiece(piece.piece) * Math.max(1, piece.max ?? piece.min + 1);
      default:
        return 1;
    }
  };
  return pattern.alternatives.flat().reduce((size, piece) => size + sizeOfPiece(piece), 1);
}

const digits: readonly Range[] = ranges('09');
const words: readonly Range[] = ranges('09', 'AZ', '__', 'az');
const spaces: readonly Range[] = [
  [9, 10],
  [12, 13],
  [32, 32],
];
const lastCharacter = 0x10_ff_ff;

const perlClasses: Readonly<Record<string, { ranges: readonly Range[]; negated: boolean }>> = {
  d: { ranges: digits, negated: false },
  D: { ranges: digits, negated: true },
  w: { ranges: words, negated: false },
  W: { ranges: words, negated: true },
  s: { ranges: spaces, negated: false },
  S: { ranges: spaces, negated: true },
};

const posixClasses: Readonly<Record<string, readonly Range[]>> = {
  alnum: ranges('09', 'AZ', 'az'),
  alpha: ranges('AZ', 'az'),
  ascii: [[0, 127]],
  blank: [
    [9, 9],
    [32, 32],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: digits,
  graph: ranges('!~'),
  lower: ranges('az'),
  print: ranges(' ~'),
  punct: ranges('!/', ':@', '[`', '{~'),
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: ranges('AZ'),
  word: words,
  xdigit: ranges('09', 'AF', 'af'),
};

const escapes: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

/** By recursive descent; every character is looked at a fixed number of times. */
class PatternReader {
  readonly #text: readonly string[];
  #at = 0;
  readonly #names = new Set<string>();

  constructor(text: readonly string[]) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.#at === this.#text.length;
  }

  pattern(level: number): Pattern {
    if (level > deepest) throw new NoPattern();
    const alternatives = [this.#sequence(level)];
    while (this.#take('|')) alternatives.push(this.#sequence(level));
    return { alternatives };
  }

  #sequence(level: number): Piece[] {
    const pieces: Piece[] = [];
    while (!this.isDone && this.#next !== '|' && this.#next !== ')') {
      pieces.push(this.#repeated(this.#piece(level)));
    }
    return pieces;
  }

  get #next(): string | undefined {
    return this.#text[this.#at];
  }

  #take(wanted: string): boolean {
    const isNext = [...wanted].every((character, place) => this.#text[this.#at + place] === character);
    if (isNext) this.#at += wanted.length;
    return isNext;
  }

  #any(): string {
    const character = this.#text[this.#at];
    if (character === undefined) throw new NoPattern();
    this.#at++;
    return character;
  }

  #piece(level: number): Piece {
    const character = this.#any();
    switch (character) {
      case '.':
        return { kind: 'class', negated: true, ranges: [[10, 10]] };
      case '^':
        return { kind: 'assertion', at: 'start' };
      case '$':
        return { kind: 'assertion', at: 'end' };
      case '(':
        return this.#group(level);
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new NoPattern();
      default:
        return { kind: 'character', code: codeOf(character) };
    }
  }

  #group(level: number): Piece {
    // Names of groups stand for nothing in a filter; flags are not offered.
    if (this.#take('?') && !this.#take(':')) {
      if (!this.#take('P<') && !this.#take('<')) throw new NoPattern();
      let name = '';
      for (let character = this.#any(); character !== '>'; character = this.#any()) name += character;
      if (!/^\w+$/.test(name) || this.#names.has(name)) throw new NoPattern();
      this.#names.add(name);
    }
    const pattern = this.pattern(level + 1);
    if (!this.#take(')')) throw new NoPattern();
    return { kind: 'group', pattern };
  }

  #repeated(piece: Piece): Piece {
    const times = this.#times();
    if (times === undefined) return piece;
    // How greedy it is changes what is found, not whether.
    this.#take('?');
    if (this.#times() !== undefined) throw new NoPattern();
    return { kind: 'repeat', piece, ...times };
  }

  #times(): { min: number; max: number | undefined } | undefined {
    if (this.#take('*')) return { min: 0, max: undefined };
    if (this.#take('+')) return { min: 1, max: undefined };
    if (this.#take('?')) return { min: 0, max: 1 };
    const counts = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(
      this.#text.slice(this.#at, this.#at + 11).join(''),
    );
    // As in RE2, a brace that counts nothing is a character.
    if (counts === null) return undefined;
    this.#at += counts[0].length;
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === undefined ? undefined : Number(counts[3]);
    if (min > mostRepeats || (max !== undefined && (max > mostRepeats || max < min))) throw new NoPattern();
    return { min, max };
  }

  #escape(): Piece {
    const perl = perlClasses[this.#next ?? ''];
    if (perl) {
      this.#at++;
      return { kind: 'class', ...perl };
    }
    if (this.#take('b')) return { kind: 'assertion', at: 'word' };
    if (this.#take('B')) return { kind: 'assertion', at: 'noWord' };
    if (this.#take('A')) return { kind: 'assertion', at: 'start' };
    if (this.#take('z')) return { kind: 'assertion', at: 'end' };
    return { kind: 'character', code: this.#escaped() };
  }

  /** The character that an escape stands for, after its backslash. */
  #escaped(): number {
    const character = this.#any();
    const named = escapes[character];
    if (named !== undefined) return named;
    if (character === 'x') return this.#hexadecimal();
    if (/^[\x21-\x7e]$/.test(character) && !/^[0-9A-Za-z]$/.test(character)) return codeOf(character);
    throw new NoPattern();
  }

  #hexadecimal(): number {
    let text = '';
    if (this.#take('{')) {
      for (let character = this.#any(); character !== '}'; character = this.#any()) text += character;
    } else text = this.#any() + this.#any();
    const code = /^[0-9A-Fa-f]{1,6}$/.test(text) ? Number.parseInt(text, 16) : 0;
    // Neither NUL nor half of a pair is in any document.
    if (code === 0 || code > lastCharacter || (code >= 0xd8_00 && code <= 0xdf_ff)) throw new NoPattern();
    return code;
  }

  #class(): Piece {
    const negated = this.#take('^');
    const found: Range[] = [];
    for (let isFirst = true; isFirst || this.#next !== ']'; isFirst = false) found.push(...this.#member());
    this.#at++;
    return { kind: 'class', negated, ranges: merged(found) };
  }

  #member(): readonly Range[] {
    if (this.#take('[:')) return this.#posixClass();
    if (this.#next === '\\') {
      const perl = perlClasses[this.#text[this.#at + 1] ?? ''];
      if (perl) {
        this.#at += 2;
        return perl.negated ? complement(perl.ranges) : perl.ranges;
      }
    }
    const first = this.#classCharacter();
    if (this.#next !== '-' || this.#text[this.#at + 1] === ']') return [[first, first]];
    this.#at++;
    const last = this.#classCharacter();
    if (last < first) throw new NoPattern();
    return [[first, last]];
  }

  #posixClass(): readonly Range[] {
    const negated = this.#take('^');
    let name = '';
    for (let character = this.#any(); character !== ':'; character = this.#any()) name += character;
    const found = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
    if (!found || !this.#take(']')) throw new NoPattern();
    return negated ? complement(found) : found;
  }

  #classCharacter(): number {
    const character = this.#any();
    return character === '\\' ? this.#escaped() : codeOf(character);
  }
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function ranges(...pairs: string[]): Range[] {
  return pairs.map(([first = '', last = '']) => [codeOf(first), codeOf(last)]);
}

function merged(found: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [first, last] of found.toSorted((a, b) => a[0] - b[0])) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) result[result.length - 1] = [before[0], Math.max(before[1], last)];
    else result.push([first, last]);
  }
  return result;
}

function complement(found: readonly Range[]): Range[] {
  const result: Range[] = [];
  let next = 0;
  for (const [first, last] of merged(found)) {
    if (first > next) result.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCharacter) result.push([next, lastCharacter]);
  return result;
}

/** How an engine says what engines say differently. */
export interface Dialect {
  readonly start: string;
  readonly end: string;
  readonly word: string;
  readonly noWord: string;
  /** A character that may mean something else if it stood for itself. */
  readonly character: (code: number) => string;
}

/** The pattern in the words of an engine. */
export function writePattern(pattern: Pattern, dialect: Dialect): string {
  return pattern.alternatives
    .map((pieces) => pieces.map((piece) => writePiece(piece, dialect)).join(''))
    .join('|');
}

function writePiece(piece: Piece, dialect: Dialect): string {
  switch (piece.kind) {
    case 'character':
      return dialect.character(piece.code);
    case 'class':
      return writeClass(piece.ranges, piece.negated, dialect);
    case 'assertion':
      return dialect[piece.at];
    case 'group':
      return `(?:${writePattern(piece.pattern, dialect)})`;
    case 'repeat': {
      const { min, max } = piece;
      const inner = writePiece(piece.piece, dialect);
      // Around an assertion too, which engines do not repeat.
      return `(?:${inner})${min === max ? `{${min}}` : `{${min},${max ?? ''}}`}`;
    }
  }
}

function writeClass(found: readonly Range[], negated: boolean, { character }: Dialect): string {
  // NUL is in no text, and no engine likes to be told of it; halves of pairs neither.
  const usable = found.flatMap(([first, last]): Range[] =>
    [
      [Math.max(first, 1), Math.min(last, 0xd7_ff)] as const,
      [Math.max(first, 0xe0_00), last] as const,
    ].filter(([from, to]) => from <= to),
  );
  const text = usable
    .map(([first, last]) => (first === last ? character(first) : `${character(first)}-${character(last)}`))
    .join('');
  return `[${negated ? '^' : ''}${text}]`;
}
