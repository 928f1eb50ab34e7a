import type { Receipt } from '../player.ts';

/** What has become of a file on a device, as the device knows it. */
export type FileState = Receipt['status'];

export interface Device {
  readonly uuid: string;
  readonly user: string;
}

/** What the devices of a fleet have done so far, and what they are at. */
export interface FleetNumbers {
  signedIn: number;
  online: number;
  looks: number;
  downloads: number;
  bytes: number;
  receipts: number;
  /** Calls that failed; they are made again. */
  troubles: number;
  lastTrouble: string;
  /** Of each file by its id: its name, and what it is on how many devices, by version. */
  readonly files: Map<number, { name: string; readonly versions: Map<number, Map<FileState, number>> }>;
}

export function createNumbers(): FleetNumbers {
  return {
    signedIn: 0,
    online: 0,
    looks: 0,
    downloads: 0,
    bytes: 0,
    receipts: 0,
    troubles: 0,
    lastTrouble: '',
    files: new Map(),
  };
}

/** A version of a file in a state on one device. */
export interface Standing {
  readonly version: number;
  readonly state: FileState;
}

/** Counts a device that goes on from one standing to the next; `undefined` where it has nothing of the file. */
export function count(
  { files }: FleetNumbers,
  file: { readonly id: number; readonly name: string },
  from: Standing | undefined,
  to: Standing | undefined,
): void {
  const known = files.get(file.id) ?? { name: file.name, versions: new Map() };
  files.set(file.id, known);
  known.name = file.name;
  const add = ({ state, version }: Standing, more: number) => {
    const states = known.versions.get(version) ?? new Map<FileState, number>();
    known.versions.set(version, states);
    const next = (states.get(state) ?? 0) + more;
    if (next === 0) states.delete(state);
    else states.set(state, next);
    if (states.size === 0) known.versions.delete(version);
  };
  if (to) add(to, 1);
  if (from) add(from, -1);
}
