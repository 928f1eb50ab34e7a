import type { Company } from './company.ts';
import { type DeviceOptions, playDevice } from './device.ts';
import { createGate } from './gate.ts';
import { createNumbers, type FleetNumbers } from './numbers.ts';

/** A sign-in costs the portal the hash of a password: more at once would only wait there. */
const signInsAtOnce = 8;
const downloadsAtOnce = 64;
/** Together with downloads fewer than the connections that the portal takes from one address, which all devices have here. */
const callsAtOnce = 100;

export interface Fleet {
  readonly numbers: FleetNumbers;
  /** Resolves when all devices have stopped. */
  stop(): Promise<void>;
}

/** Lets the devices of a company live; two of them are of one person. */
export function startFleet(
  { code, password, people }: Pick<Company, 'code' | 'password' | 'people'>,
  options: Omit<DeviceOptions, 'partnerCode' | 'password'> & { readonly devices: number },
): Fleet {
  const numbers = createNumbers();
  const stopping = new AbortController();
  const calls = createGate(callsAtOnce);
  const surroundings = {
    numbers,
    fetch: async (...call: Parameters<typeof fetch>) => calls(async () => fetch(...call)),
    signIns: createGate(signInsAtOnce),
    downloads: createGate(downloadsAtOnce),
    signal: stopping.signal,
  };
  const lives = Array.from({ length: options.devices }, async (_, index) => {
    const device = { uuid: `${code}-device-${index + 1}`, user: people[index % people.length] ?? '' };
    await playDevice(device, { ...options, partnerCode: code, password }, surroundings);
  });
  return {
    numbers,
    async stop() {
      stopping.abort();
      await Promise.all(lives);
    },
  };
}
