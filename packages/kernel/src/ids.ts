import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const idBytes = 16;
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/** Random bytes are drawn in bulk: a system call for each id would cost more than a small request does otherwise. */
function nextRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.subarray(used - idBytes, used);
}

let lastMs = 0;
let sequence = 0;

/** A UUIDv7: unique, and in the order of its making. Used for events, requests and uploads. */
export function newId(): string {
  const random = nextRandom();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // Half of the range is left for the ids of the same millisecond.
    sequence = random.readUInt32BE(0) >>> 1;
  } else {
    sequence += 1;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}
