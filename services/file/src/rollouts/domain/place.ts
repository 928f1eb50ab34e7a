import { createHash } from 'node:crypto';

/** Devices are spread over so many places: percentages are whole. */
export const places = 100;

const placeFrom = (text: string): number =>
  createHash('sha256').update(text).digest().readUIntBE(0, 3) % places;

/** The place of a device, from 0 to 99. The database computes the same: `place_of`. */
export const placeOf = (uuid: string): number => placeFrom(uuid);

/** By how much a version turns the places of all devices, so that not always the same are the first. */
export const turnOf = ({ fileId, version }: { readonly fileId: number; readonly version: number }): number =>
  placeFrom(`${fileId}.${version}`);

/** The place of a device among those of a version: it is in a stage of more percent than that. */
export const turned = (place: number, turn: number): number => (place + turn) % places;
