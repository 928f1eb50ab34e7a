/** What a provider made of a push. Reasons are short words that a person may see, never what the provider wrote freely. */
export type PushOutcome =
  | { readonly kind: 'taken' }
  /** The token is no longer good for anything. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** No later try will do better. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly retryAfterMs?: number };

/** What FCM says of a push: its name there, or an error; neither, where the answer is not FCM's. */
export interface FcmAnswer {
  readonly status: number;
  readonly retryAfter?: string | undefined;
  readonly name?: string | undefined;
  readonly error?:
    | { readonly status?: string | undefined; readonly errorCode?: string | undefined }
    | undefined;
}

/** What FCM's answer means for the push. */
export function fcmOutcome({ error, name, retryAfter, status }: FcmAnswer, now: Date): PushOutcome {
  if (status === 200 && name !== undefined) return { kind: 'taken' };
  const reason = reasonOf(error?.errorCode ?? error?.status, status);
  // Of something in between, which says nothing about the push: not even 404.
  if (!error || isTemporary(status)) return later(reason, retryAfter, now);
  if (status === 404) return { kind: 'gone', reason };
  // Of our own token: the next one may be good. THIRD_PARTY_AUTH_ERROR is about a certificate at FCM.
  if (status === 401 && error.errorCode === undefined) return later(reason, retryAfter, now);
  return { kind: 'refused', reason };
}

/** What APNs' answer means for the push. @param status undefined where there is none, or it is not of APNs */
export function apnsOutcome({
  reason: given,
  status,
}: {
  readonly status: number | undefined;
  readonly reason: string | undefined;
}): PushOutcome {
  if (status === undefined) return { kind: 'later', reason: reasons.connectionClosed };
  // The library keeps the reason of 500, of which there is one, for itself.
  const reason = status === 500 ? 'InternalServerError' : reasonOf(given, status);
  if (status === 410 || given === 'BadDeviceToken') return { kind: 'gone', reason };
  if (isTemporary(status) || given === 'IdleTimeout') return { kind: 'later', reason };
  return { kind: 'refused', reason };
}

/** Reasons that no provider gives. */
export const reasons = {
  connectionClosed: 'ConnectionClosed',
  timeout: 'Timeout',
  answerTooLong: 'AnswerTooLong',
  certificateExpired: 'CertificateExpired',
  certificateInvalid: 'CertificateInvalid',
  noCertificate: 'NoCertificate',
  certificateUnreadable: 'CertificateUnreadable',
  noToken: 'NoToken',
  tokenUnreadable: 'TokenUnreadable',
  stopped: 'Stopped',
};

const isTemporary = (status: number) => status === 408 || status === 429 || status >= 500;

function later(reason: string, retryAfter: string | undefined, now: Date): PushOutcome {
  const retryAfterMs = waitOf(retryAfter, now);
  return { kind: 'later', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Of seconds or of a date, as HTTP has it. */
function waitOf(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - now.getTime();
  return ms > 0 ? ms : undefined;
}

/** People see reasons: anything but one of the words that providers document becomes the status. */
export function reasonOf(given: string | undefined, status: number): string {
  return given !== undefined && /^\w{1,60}$/.test(given) ? given : `HTTP ${status}`;
}
