import type { Language } from '@portal/contracts';

export interface TimeZone {
  /** Its IANA name. */
  readonly name: string;
  /** What people call it. */
  readonly words: string;
}

const known = new Map<Language, readonly TimeZone[]>();

/** What `zone` is called in `language`, or how far it is from UTC now. */
function calledIn(language: Language, zone: string, timeZoneName: 'longGeneric' | 'shortOffset'): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Every zone that the browser knows, by name. Naming them takes a moment, so it is done once for each language. */
export function timeZones(language: Language): readonly TimeZone[] {
  const made =
    known.get(language) ??
    ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => ({
      name,
      words: calledIn(language, name, 'longGeneric'),
    }));
  known.set(language, made);
  return made;
}

/** As people tell zones apart: what it is called, and its distance from UTC now. */
export const hintOf = ({ name, words }: TimeZone, language: Language): string =>
  `${words} ${calledIn(language, name, 'shortOffset')}`;

const folded = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[_\s/]+/g, ' ')
    .trim();

/** Those whose name or words hold every word of `typed`, at most `most`. */
export function findTimeZones(zones: readonly TimeZone[], typed: string, most: number): readonly TimeZone[] {
  const wanted = folded(typed).split(' ');
  const found: TimeZone[] = [];
  for (const zone of zones) {
    if (found.length === most) break;
    const text = folded(`${zone.name} ${zone.words}`);
    if (wanted.every((word) => text.includes(word))) found.push(zone);
  }
  return found;
}
