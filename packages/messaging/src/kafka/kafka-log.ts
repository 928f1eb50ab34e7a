import type { Logger } from '@portal/kernel';
import type { logCreator } from 'kafkajs';

/**
 * What the client says, for those who look closely: it reports each try of each connection as an error. What matters to
 * an operator the adapter tells itself.
 */
export function kafkaLog(logger: Logger): logCreator {
  return () =>
    ({ namespace, log: { message, timestamp: _, logger: __, ...fields } }) => {
      logger.debug({ kafka: namespace, ...fields }, message);
    };
}
