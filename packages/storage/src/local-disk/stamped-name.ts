import { type Clock, newId } from '@portal/kernel';

const stampedName = /^(\d{1,16})-[0-9a-f-]{36}$/;

/** A unique file name that tells when it was made by the product's clock, so that the sweep needs no record. */
export function newStampedName(clock: Clock): string {
  return `${clock.now().getTime()}-${newId()}`;
}

/** Milliseconds since 1970, or undefined when `name` was not made by `newStampedName`. */
export function stampOf(name: string): number | undefined {
  const stamp = stampedName.exec(name)?.[1];
  return stamp === undefined ? undefined : Number(stamp);
}
