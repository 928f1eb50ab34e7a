/** What the driver said, as Prisma's adapter passes it on. */
interface DriverCause {
  kind?: unknown;
  originalCode?: unknown;
  constraint?: { index?: unknown };
}

/** Codes for a database that is not there, refuses connections, or hung up: Prisma's, and those of the socket below. */
const UNREACHABLE_CODES = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
  'P2037',
  // The socket's own, where the driver has no word of its own for them: a write meets a server that is ending.
  'EPIPE',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);
const UNREACHABLE_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);
/** Sent by a server that starts, stops, ends a session, or has as many connections as it may have. */
const UNREACHABLE_STATES = /^(08...|57P0[123]|53300)$/;
/** The pool and the driver say these without a code. */
const UNREACHABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|connection is closed|not queryable|Unable to start a transaction in the given time/;

const CONFLICT_STATES = new Set(['40001', '40P01']);

/** Whether `error` is the violation of the unique constraint or index of that name. */
export function isUniqueViolation(error: unknown, constraintOrIndexName: string): boolean {
  const cause = driverCause(error);
  return cause?.kind === 'UniqueConstraintViolation' && cause.constraint?.index === constraintOrIndexName;
}

/** Whether the transaction collided with another and may succeed when run again. */
export function isConflict(error: unknown): boolean {
  const state = stateOf(error);
  return codeOf(error) === 'P2034' || (state !== undefined && CONFLICT_STATES.has(state));
}

/** Whether a row was held by others for longer than the transaction was to wait for it. */
export function isLockTimeout(error: unknown): boolean {
  return stateOf(error) === '55P03';
}

/** Whether the database could not be reached, or the connection was lost. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const cause = driverCause(error);
  const state = stateOf(error);
  return (
    (code !== undefined && UNREACHABLE_CODES.has(code)) ||
    (typeof cause?.kind === 'string' && UNREACHABLE_KINDS.has(cause.kind)) ||
    (state !== undefined && UNREACHABLE_STATES.test(state)) ||
    UNREACHABLE_MESSAGES.test(error.message)
  );
}

function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error.code === 'string' ? error.code : undefined;
}

/** What PostgreSQL said: Prisma has it in the cause, the driver itself as its code. */
function stateOf(error: unknown): string | undefined {
  const state = driverCause(error)?.originalCode;
  return typeof state === 'string' ? state : codeOf(error);
}

function driverCause(error: unknown): DriverCause | undefined {
  if (!isObject(error)) return undefined;
  const meta = isObject(error.meta) ? error.meta : undefined;
  const driverError = isObject(meta?.driverAdapterError) ? meta.driverAdapterError : error;
  return isObject(driverError.cause) ? driverError.cause : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
