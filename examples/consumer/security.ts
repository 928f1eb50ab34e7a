import type { KafkaConfig, SASLOptions } from 'kafkajs';

/** TLS and SASL of Kafka, from the settings that the portal itself uses. */
export function securityIn(
  env: Readonly<Record<string, string | undefined>>,
): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  const ca = env['KAFKA_TLS_CA'];
  const sasl = saslIn(env);
  return {
    ...(env['KAFKA_SSL'] === '1' && { ssl: ca ? { ca } : true }),
    ...(sasl && { sasl }),
  };
}

function saslIn(env: Readonly<Record<string, string | undefined>>): SASLOptions | undefined {
  const account = { username: env['KAFKA_SASL_USERNAME'] ?? '', password: env['KAFKA_SASL_PASSWORD'] ?? '' };
  switch (env['KAFKA_SASL_MECHANISM'] || undefined) {
    case undefined:
      return undefined;
    case 'plain':
      return { mechanism: 'plain', ...account };
    case 'scram-sha-256':
      return { mechanism: 'scram-sha-256', ...account };
    case 'scram-sha-512':
      return { mechanism: 'scram-sha-512', ...account };
    default:
      throw new Error('KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512');
  }
}
