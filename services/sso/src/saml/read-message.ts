import type { Claims } from './domain/claims.ts';
import { Refusal, type RefusalReason } from './domain/refusal.ts';
import {
  type Logout,
  type LogoutMessage,
  type LogoutToRead,
  type Outline,
  outlineOf,
  readLogout,
} from './read-logout.ts';
import { type ResponseToRead, readResponse } from './read-response.ts';

/** What the thread is asked for, and what it answers. */
export type Question =
  | { readonly kind: 'response'; readonly response: ResponseToRead }
  | { readonly kind: 'logout'; readonly logout: LogoutToRead }
  | { readonly kind: 'outline'; readonly message: LogoutMessage };

export type Answered =
  | { readonly kind: 'read'; readonly value: Claims | Logout | Outline }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly detail: string };

/** Reads a message of a provider. What nobody foresaw about it is a refusal too: it is the message that brought it about. */
export function readQuestion(question: Question): Answered {
  try {
    return { kind: 'read', value: valueOf(question) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.reason, detail: error.detail };
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : '';
    return { kind: 'refused', reason: 'malformed', detail: detail.slice(0, 200) };
  }
}

function valueOf(question: Question): Claims | Logout | Outline {
  if (question.kind === 'response') return readResponse(question.response);
  return question.kind === 'logout' ? readLogout(question.logout) : outlineOf(question.message);
}
