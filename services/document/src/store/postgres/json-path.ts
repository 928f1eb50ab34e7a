import { isPlace, type Path } from '../filter/filter.ts';

/**
 * How PostgreSQL's jsonpath says what MongoDB means by a dotted path. In its lax mode an accessor goes through the elements of an
 * array, and through those of an array in it no more, as MongoDB does; a comparison too looks at the elements of an array.
 */

/** The expressions for the values at a path: several where a number may be a key or a place in an array. */
export function accessorsOf(path: Path): readonly string[] {
  return ways(path).map((steps) => `$${steps.map((step) => accessorOf(step)).join('')}`);
}

/** The expressions for what is compared with one value: an array that stands at the place of a path is not looked into. */
export function comparedAt(path: Path): readonly string[] {
  return ways(path).map(
    (steps) => `$${steps.map((step) => accessorOf(step, step === steps.at(-1))).join('')}`,
  );
}

/** Of each accessor, whether it ends with a place in an array. */
export const endsInPlace = (accessor: string): boolean => accessor.endsWith(']');

/** A key, and places in the array that stands there. */
interface Step {
  readonly key: string;
  readonly places: readonly string[];
}

function ways(path: Path): readonly (readonly Step[])[] {
  let result: readonly (readonly Step[])[] = [[]];
  for (const component of path) {
    const asKey = result.map((steps) => [...steps, { key: component, places: [] }]);
    const asPlace = isPlace(component)
      ? result.flatMap((steps) => {
          const last = steps.at(-1);
          return last ? [[...steps.slice(0, -1), { ...last, places: [...last.places, component] }]] : [];
        })
      : [];
    result = [...asKey, ...asPlace];
  }
  return result;
}

function accessorOf({ key, places }: Step, isCompared = false): string {
  const member = `.${JSON.stringify(key)}`;
  if (places.length === 0) return member;
  // Without the condition `[0]` would answer what is no array, and `?` alone goes through arrays in arrays.
  const isArray = places.map((_, depth) => {
    const before = places.slice(0, depth).map((place) => `[${place}]`);
    return `@${member}${before.join('')}.type() == "array"`;
  });
  const at = `${member}${places.map((place) => `[${place}]`).join('')}`;
  const isNone = isCompared ? [`@${at}.type() != "array"`] : [];
  const condition = ['@.type() == "object"', ...isArray, ...isNone].join(' && ');
  return ` ? (${condition})${at}`;
}

/** A condition for that the path ends somewhere before its end: what MongoDB takes for null. */
export function isMissingAt(path: Path): string {
  if (path.slice(1).some(isPlace))
    return accessorsOf(path)
      .map((way) => `!exists(${way})`)
      .join(' && ');
  const members = path.map((key) => `.${JSON.stringify(key)}`);
  const conditions = members.flatMap((member, depth) => {
    if (depth === 0) return [`!exists($${member})`];
    const holder = members.slice(0, depth - 1).join('');
    const held = members[depth - 1] ?? '';
    return [
      // An object, also in an array, that lacks the key.
      `exists($${holder}${held} ? (@.type() == "object" && !exists(@${member})))`,
      // A value that can have none; in an array it is passed over.
      `exists($${holder} ? (@.type() == "object" && @${held}.type() != "object" && @${held}.type() != "array"))`,
    ];
  });
  return conditions.join(' || ');
}
