import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { follow } from './consumer.ts';
import { loadContract } from './contract.ts';
import { openJournal } from './journal.ts';
import { securityIn } from './security.ts';

/** A small consumer of the portal's events: prints each, and stores each once in a file. An example for integrators. */

const usage = `npm run consumer -- --topics portal.file,portal.user [options]
In a copy of the folder: npm start -- --topics …

  --topics LIST      the topics to consume; docs/events.md lists them
  --brokers LIST     Kafka's bootstrap addresses; default: KAFKA_BROKERS, else 127.0.0.1:9092
  --group NAME       the consumer group; default: example-consumer
  --from-beginning   a new group starts with the oldest events of the topics, not with new ones
  --contract PLACE   asyncapi.json, as a file or a URL of the portal; default: docs/asyncapi.json of the portal's repository
  --journal FILE     where events are stored; default: downloads/<group>.jsonl

For a Kafka with TLS or passwords: KAFKA_SSL=1, KAFKA_TLS_CA (certificates to trust, in PEM), and KAFKA_SASL_MECHANISM (plain,
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

const contract = await loadContract(values.contract).catch((error: unknown) =>
  end(`--contract cannot be read: ${error instanceof Error ? error.message : String(error)}`),
);
const journal = await openJournal(values.journal ?? `downloads/${values.group}.jsonl`);
const following = await follow({
  brokers: values.brokers.split(','),
  security: securityIn(process.env),
  group: values.group,
  topics: values.topics.split(','),
  fromBeginning: values['from-beginning'],
  contract,
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
