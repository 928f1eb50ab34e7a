import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange, ObjectInfo } from './object-storage.ts';

/**
 * What a GET or HEAD asks of an object (RFC 9110, sections 13 and 14): `unsatisfiable` answers 416. Ranges of several
 * pieces and other units are answered with the whole object, as the RFC allows.
 */
export function requestedRange(
  headers: IncomingHttpHeaders,
  info: ObjectInfo,
): Required<ByteRange> | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(headers.range?.trim() ?? '');
  if (!match || (!match[1] && !match[2]) || !ifRangeHolds(headers['if-range'], info)) return undefined;
  const last = info.size - 1;
  if (!match[1]) {
    const length = Math.min(Number(match[2]), info.size);
    return length === 0 ? 'unsatisfiable' : { start: info.size - length, end: last };
  }
  const start = Number(match[1]);
  const end = match[2] ? Number(match[2]) : last;
  if (match[2] && end < start) return undefined;
  return start > last ? 'unsatisfiable' : { start, end: Math.min(end, last) };
}

/** Whether the client has this very object already: 304. */
export function isNotModified(headers: IncomingHttpHeaders, info: ObjectInfo): boolean {
  const etags = headers['if-none-match'];
  if (etags !== undefined) {
    return etags
      .split(',')
      .some((etag) => etag.trim() === '*' || etag.trim().replace(/^W\//, '') === info.etag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return toSecond(info.lastModified) <= since;
}

/** A strong comparison: resuming a download with bytes of another object would go unnoticed. */
function ifRangeHolds(condition: string | string[] | undefined, info: ObjectInfo): boolean {
  if (condition === undefined || condition === info.etag) return true;
  return (
    typeof condition === 'string' &&
    !condition.includes('"') &&
    Date.parse(condition) === toSecond(info.lastModified)
  );
}

/** HTTP dates have whole seconds. */
function toSecond(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}
