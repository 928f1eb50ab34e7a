import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { follow } from './consumer.ts';
import { loadContract } from './contract.ts';
import { openJournal } from './journal.ts';
import { securityIn } from './security.ts';

/** A small consumer of the portal's events: prints each, and keeps each once in a file. It shows integrators what to do. */

const usage = `npm run consumer -- --topics portal.file,portal.user [options]

  --topics LIST      the topics to follow; docs/events.md has all
  --brokers LIST     Kafka's first addresses; default: KAFKA_BROKERS, else 127.0.0.1:9092
  --group NAME       the consumer group; default: example-consumer
  --from-beginning   a new group begins with all that the topics still hold, not with what comes from now on
  --contract PLACE   asyncapi.json, as a file or an address of the portal; default: docs/asyncapi.json
  --journal FILE     where events are kept; default: downloads/<group>.jsonl

A Kafka that is closed: KAFKA_SSL=1, KAFKA_TLS_CA (certificates to trust, in PEM), and KAFKA_SASL_MECHANISM (plain,
scram-sha-256, scram-sha-512) with KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD.`;

const options = {
  topics: { type: 'string' },
  brokers: { type: 'string', default: process.env['KAFKA_BROKERS'] || '127.0.0.1:9092' },
  group: { type: 'string', default: 'example-consumer' },
  'from-beginning': { type: 'boolean', default: false },
  contract: { type: 'string', default: join(import.meta.dirname, '../../docs/asyncapi.json') },
  journal: { type: 'string' },
} as const;

const values = readOptions();
if (!values.topics) end();

const journal = await openJournal(values.journal ?? `downloads/${values.group}.jsonl`);
const following = await follow({
  brokers: values.brokers.split(','),
  security: securityIn(process.env),
  group: values.group,
  topics: values.topics.split(','),
  fromBeginning: values['from-beginning'],
  contract: await loadContract(values.contract),
  journal,
  tell: (line) => console.log(line),
});
console.log(`Following ${values.topics} as ${values.group}; Ctrl-C ends it.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void following.stop());
await following.ended.finally(() => journal.close());

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

function end(problem?: string): never {
  if (problem) console.error(`${problem}\n`);
  console.error(usage);
  process.exit(2);
}
