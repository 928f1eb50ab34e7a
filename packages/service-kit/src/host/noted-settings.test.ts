import { expect, test } from 'vitest';
import { overNotes } from './noted-settings.ts';

const noted = { PORT: '9005', KAFKA_BROKERS: 'noted:9092', LOG_LEVEL: 'info' };

test("A service takes its own port of the notes, and the host of the environment is the gateway's", () => {
  const env = { PORT: '9000', HOST: '0.0.0.0', KAFKA_BROKERS: '', LOG_LEVEL: 'debug' };
  const own = { PORT: '9005', KAFKA_BROKERS: 'noted:9092', LOG_LEVEL: 'debug' };
  expect(overNotes('mail', noted, env)).toEqual(own);
  expect(overNotes('gateway', noted, env)).toEqual({ ...own, HOST: '0.0.0.0' });
});

test('A service of which nothing is noted listens where the environment says', () => {
  const env = { PORT: '9000', HOST: '0.0.0.0' };
  expect(overNotes('mail', {}, env)).toEqual(env);
});
