import { type DestinationStream, type Logger, pino } from 'pino';

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

/** JSON lines to `destination` (standard output by default), with secrets replaced. */
export function createLogger(
  options: { level: string; service?: string },
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level: options.level,
      base: options.service ? { service: options.service } : null,
      redact: { paths: redactPaths, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ sync: false, minLength: 0 }),
  );
}
