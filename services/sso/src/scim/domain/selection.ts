import { attributeName } from './attributes.ts';
import type { Resource } from './resources.ts';

/** Which attributes a client wants to see (RFC 7644, 3.9): names in lower case. */
export interface Shown {
  readonly only?: readonly string[] | undefined;
  readonly but?: readonly string[] | undefined;
}

/** What a query or a search names. */
export function shownBy(asked: {
  readonly attributes?: string | readonly string[] | undefined;
  readonly excludedAttributes?: string | readonly string[] | undefined;
}): Shown {
  return { only: namesIn(asked.attributes), but: namesIn(asked.excludedAttributes) };
}

function namesIn(asked: string | readonly string[] | undefined): string[] | undefined {
  const list = typeof asked === 'string' ? asked.split(',') : asked;
  const names = list?.map(attributeName).filter((name) => name !== '');
  return names && names.length > 0 ? names : undefined;
}

/** Answered whatever is asked for. */
const always = new Set(['schemas', 'id']);

/** Whether an attribute is answered, or something of it. */
export function isShown(attribute: string, { but = [], only }: Shown): boolean {
  if (always.has(attribute)) return true;
  if (only) return only.some((name) => name === attribute || name.startsWith(`${attribute}.`));
  return !but.includes(attribute);
}

/** A resource with the attributes that are wanted. */
export function show(resource: Resource, shown: Shown): Resource {
  if (!shown.only && !shown.but) return resource;
  const entries = Object.entries(resource).flatMap(([name, value]) => {
    const attribute = name.toLowerCase();
    return isShown(attribute, shown) ? [[name, showWithin(attribute, value, shown)] as const] : [];
  });
  return Object.fromEntries(entries) as Resource;
}

function showWithin(attribute: string, value: unknown, shown: Shown): unknown {
  if (always.has(attribute)) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => showWithin(attribute, one, shown));
  if (typeof value !== 'object' || value === null || shown.only?.includes(attribute)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => {
      const path = `${attribute}.${name.toLowerCase()}`;
      return shown.only ? shown.only.includes(path) : !shown.but?.includes(path);
    }),
  );
}
