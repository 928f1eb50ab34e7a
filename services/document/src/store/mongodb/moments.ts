import type { Condition, Path } from '../filter/filter.ts';
import type { Pattern } from '../filter/pattern.ts';

/**
 * Filters on the moments of a document. MongoDB keeps them with milliseconds, by which sorts go: `2026-11-21T09:00:05.123Z`. A
 * filter is about what is answered: `2026-11-21T09:00:05Z`. Both are ordered alike, so a filter is asked of what is kept.
 */

const moments = new Set(['_created_at', '_updated_at']);

export const isMoment = (path: Path): boolean => path.length === 1 && moments.has(path[0] ?? '');

/** Up to the second. What is kept goes on with a point, what is answered ends with `end`. */
const secondLength = 19;
const end = 'Z';
/** The character behind the point. */
const afterPoint = '/';

type MomentQuery = Readonly<Record<string, unknown>>;

/** What the text that is kept at `place` must fulfil. */
export function momentQuery(
  place: string,
  condition: Condition,
  regexOf: (pattern: Pattern) => string,
): MomentQuery {
  switch (condition.kind) {
    case 'equal':
      return anyOf(place, [condition.value]);
    case 'in':
      return anyOf(place, condition.values);
    case 'range': {
      const { operator, value } = condition;
      if (typeof value !== 'string') return { [place]: { $in: [] } };
      const isFrom = operator === '>' || operator === '>=';
      const isSecondIn = operator === '>' || operator === '<=' ? end > rest(value) : end >= rest(value);
      const bound = `${value.slice(0, secondLength)}${isSecondIn ? '' : afterPoint}`;
      return { [place]: { [isFrom ? '$gte' : '$lt']: bound } };
    }
    case 'exists':
      return {};
    case 'matches': {
      const answered = { $concat: [{ $substrBytes: [`$${place}`, 0, secondLength] }, end] };
      return { $expr: { $regexMatch: { input: answered, regex: { $literal: regexOf(condition.pattern) } } } };
    }
  }
}

const rest = (text: string): string => text.slice(secondLength);

/** Within one of these seconds; what is no text, or ends otherwise, is none. */
function anyOf(place: string, values: readonly unknown[]): MomentQuery {
  const seconds = values.flatMap((value) =>
    typeof value === 'string' && value.endsWith(end) ? [value.slice(0, -end.length)] : [],
  );
  if (seconds.length === 0) return { [place]: { $in: [] } };
  return {
    $or: seconds.map((second) => ({ [place]: { $gte: `${second}.`, $lt: `${second}${afterPoint}` } })),
  };
}
