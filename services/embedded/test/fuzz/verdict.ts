import { errorCatalogue } from '@portal/contracts';
import type { Answer } from './exchange.ts';

/** Checks what must hold for every answer. @returns what is wrong with it */
export function faultsOf(
  answer: Answer,
  { method, mayBeBusy }: { method: string; mayBeBusy: boolean },
): string[] {
  const { headers, status, text } = answer;
  const faults: string[] = [];
  const busy = mayBeBusy && status === 503 && headers['retry-after'] !== undefined;
  if (status >= 500 && !busy) faults.push(`it is a ${status}`);
  if (headers['x-content-type-options'] !== 'nosniff') faults.push(`a ${status} without nosniff`);
  if (!headers['x-request-id']) faults.push(`a ${status} without a request id`);
  const leak = leaks.find((pattern) => pattern.test(text));
  if (leak) faults.push(`its text tells of the inside: ${leak.exec(text)?.[0]}`);
  if (status >= 400 && method !== 'HEAD') {
    const wrong = wrongForm(answer);
    if (wrong) faults.push(`a ${status} that ${wrong}`);
  }
  return faults;
}

const leaks = [
  /\bat \S+ \(?[^)\s]+\.[cm]?[jt]s:\d+/,
  /node_modules|node:internal/,
  /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE) [\s\S]{1,200}\b(FROM|WHERE|VALUES|SET)\b/,
  /\b(Prisma|prisma)\w*(Error|Client)|invocation in|pg_catalog|relation "\w+"|violates \w+ constraint/,
];

/** The product's one form of an error: code, message, errors and request id; below `/scim/v2` that of SCIM (RFC 7644, 3.12). */
function wrongForm({ headers, status, text }: Answer): string | undefined {
  const type = String(headers['content-type']);
  const isScim = type.startsWith('application/scim+json');
  if (!isScim && !type.startsWith('application/json')) return 'is no JSON';
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text);
  } catch {
    return 'cannot be read';
  }
  if (isScim) return wrongScimForm(body, status);
  const { code, errors, message, request_id: requestId } = body;
  if (typeof code !== 'string' || !Object.hasOwn(errorCatalogue, code)) return `has the code ${String(code)}`;
  // What the HTTP layer refuses keeps its status.
  if (Number(code.slice(1, 4)) !== status && !(code === 'E40001' && status < 500))
    return `has the code ${code}`;
  if (typeof message !== 'string' || message === '') return 'has no message';
  if (!Array.isArray(errors) || !errors.every(isFieldError)) return 'has no list of fields';
  return requestId === headers['x-request-id'] ? undefined : 'has no request id, or another than its header';
}

function wrongScimForm({ detail, schemas, status: told }: Record<string, unknown>, status: number) {
  if (!Array.isArray(schemas) || schemas[0] !== 'urn:ietf:params:scim:api:messages:2.0:Error')
    return 'is no error of SCIM';
  if (told !== String(status)) return `has the status ${String(told)}`;
  return typeof detail === 'string' && detail !== '' ? undefined : 'has no detail';
}

const isFieldError = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  'field' in value &&
  typeof value.field === 'string' &&
  'message' in value &&
  typeof value.message === 'string';
