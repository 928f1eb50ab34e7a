import type { Clock } from '@portal/kernel';
import type { PushContent } from './domain/payload.ts';

/** A notification for one device. */
export interface Push extends PushContent {
  /** A UUID, the same at each try: `apns-id`. */
  readonly id: string;
  readonly token: string;
  /** Of pushes with the same one, a phone shows one. */
  readonly collapseKey: string;
}

/** What a provider made of a push. Reasons are short words that a person may see, never what the provider wrote freely. */
export type PushOutcome =
  | { readonly kind: 'taken' }
  /** The token is no longer good for anything. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** No later try will do better. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly retryAfterMs?: number };

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
