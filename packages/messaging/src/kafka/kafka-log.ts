import type { Logger } from '@portal/kernel';
import type { logCreator } from 'kafkajs';

/**
 * Logs the client's messages at debug level, because it reports each attempt of each connection as an error. The adapter
 * itself logs what matters to an operator.
 */
export function kafkaLog(logger: Logger): logCreator {
  return () =>
    ({ namespace, log: { message, timestamp: _, logger: __, ...fields } }) => {
      logger.debug({ kafka: namespace, ...fields }, message);
    };
}
