import { type DestinationStream, type Logger, pino } from 'pino';
import { currentContext } from './request-context.ts';

export type { Logger } from 'pino';

/** Names of fields that hold secrets or personal credentials, wherever they stand in a log line. */
const secretFields = [
  'password',
  'currentPassword',
  'current_password',
  'token',
  'accessToken',
  'access_token',
  'authorization',
  'apiKey',
  'api_key',
  'secret',
  'cookie',
];

const redactPaths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** The trace of the current request or event, so that its log lines can be found by its spans. */
function traceOfLine(): object {
  const traceparent = currentContext()?.traceparent;
  return traceparent === undefined ? {} : { trace_id: traceparent.slice(3, 35) };
}

/** JSON lines to `destination` (standard output by default), with secrets replaced. */
export function createLogger(
  options: { level: string; service?: string },
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level: options.level,
      base: options.service ? { service: options.service } : null,
      mixin: traceOfLine,
      redact: { paths: redactPaths, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ sync: false, minLength: 0 }),
  );
}
