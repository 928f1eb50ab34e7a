import { readFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** The fields of an event that this program uses; docs/events.md describes all of them. */
export interface PortalEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly partnerid: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Reading =
  | { readonly kind: 'event'; readonly event: PortalEvent }
  /** A type that is newer than the contract: to be ignored. */
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface Contract {
  read(message: Buffer | null): Reading;
}

/** The part of an AsyncAPI 3 document that is needed to check messages. */
interface AsyncApi {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly name: string; readonly payload: object }>>;
  };
}

/** Reads the contract of the events from a file or from `/asyncapi.json` of a running portal. */
export async function loadContract(place: string): Promise<Contract> {
  const { components }: AsyncApi = JSON.parse(await textAt(place));
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const checks = new Map<string, ValidateFunction<PortalEvent>>(
    Object.values(components.messages).map(({ name, payload }) => [name, ajv.compile<PortalEvent>(payload)]),
  );

  return {
    read(message) {
      const value = parse(message);
      const type = Object(value).type;
      if (typeof type !== 'string') return { kind: 'invalid', reason: 'it is not an event' };
      const isValid = checks.get(type);
      if (!isValid) return { kind: 'unknown', type };
      return isValid(value)
        ? { kind: 'event', event: value }
        : { kind: 'invalid', reason: `${type}: ${ajv.errorsText(isValid.errors)}` };
    },
  };
}

async function textAt(place: string): Promise<string> {
  if (!/^https?:/.test(place)) return readFile(place, 'utf8');
  const response = await fetch(place);
  if (!response.ok) throw new Error(`${place} answered ${response.status}`);
  return response.text();
}

function parse(message: Buffer | null): unknown {
  try {
    return JSON.parse(message?.toString() ?? '');
  } catch {
    return undefined;
  }
}
