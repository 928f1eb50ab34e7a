import { v7 } from 'uuid';

/** A UUIDv7: unique, and in the order of its making. Used for events, requests and uploads. */
export function newId(): string {
  return v7();
}
