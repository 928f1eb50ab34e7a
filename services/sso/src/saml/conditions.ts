import { Refusal } from './domain/refusal.ts';
import { attribute } from './xml.ts';

/** How far the clock of a provider may be from ours, in milliseconds. */
export const leeway = 60_000;

/** A moment of xs:dateTime in milliseconds since 1970; without a zone it is UTC, as SAML says. */
export function momentOf(text: string): number {
  const [, local = '', zone = 'Z'] =
    /^(\d{4,5}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const moment = Date.parse(local.replace(/(\.\d{3})\d+$/, '$1') + zone);
  if (Number.isNaN(moment)) throw new Refusal('malformed', 'a time');
  return moment;
}

/** Throws `Refusal` before NotBefore, and from NotOnOrAfter on. Answers the latter; null where it is not told. */
export function requireTimes(element: Element, now: number): number | null {
  const from = attribute(element, 'NotBefore');
  const until = attribute(element, 'NotOnOrAfter');
  if (from !== undefined && momentOf(from) > now + leeway) throw new Refusal('notYetValid', from);
  if (until === undefined) return null;
  const end = momentOf(until);
  if (end <= now - leeway) throw new Refusal('expired', until);
  return end;
}
