import { AppError } from '@portal/kernel';

/** The `ETag` of a version. */
export function tagOf(version: string): string {
  if (!/^[\w.:-]+$/.test(version)) throw new Error(`${version} is no version`);
  return `"${version}"`;
}

/** Whether `If-Match` or `If-None-Match` names the present version; undefined: there is no record. */
export function namesVersion(header: string, version: string | undefined): boolean {
  if (version === undefined) return false;
  if (header.trim() === '*') return true;
  const tag = tagOf(version);
  // SCIM clients send weak tags. A version has one representation, so weak and strong tags mean the same.
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** Refuses a change that the caller made to another version. */
export function requireVersion(ifMatch: string | undefined, version: string | undefined): void {
  if (ifMatch !== undefined && !namesVersion(ifMatch, version)) {
    throw new AppError('E40034', [], { status: 412 });
  }
}
