import type { Clock } from '@portal/kernel';
import type { PushOutcome } from './domain/outcomes.ts';
import type { PushText } from './domain/payload.ts';

export type { PushOutcome };

/** A notification for one device. */
export interface Push extends PushText {
  /** A UUID, the same at each try: `apns-id`. */
  readonly id: string;
  readonly token: string;
}

/** Hands pushes to the provider of one certificate. */
export interface PushProvider {
  /** Sends once. Never rejects, and resolves within the time limit of its settings; at once when `signal` is aborted. */
  send(push: Push, signal: AbortSignal): Promise<PushOutcome>;
  /** Ends its connections. What is still under way ends as 'later'. */
  close(): Promise<void>;
}

export interface ProviderSettings {
  readonly clock: Clock;
  /** Where the provider is, `https://host:port`; undefined: its real host. */
  readonly url?: string | undefined;
  /** Certificates in PEM to trust instead of the well-known ones. */
  readonly ca?: string | undefined;
  /** How long one push may take. */
  readonly requestMs?: number;
}

export const defaultRequestMs = 10_000;
