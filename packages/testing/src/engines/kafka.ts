import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../product.ts';
import { messageOf, preparedEngine, runTool } from './cache.ts';
import { engineIsInDocker, startInDocker } from './docker.ts';
import { type StoredEngine, startEngine, storedIn } from './engine-process.ts';

export interface KafkaEngine extends StoredEngine {
  /** As in `127.0.0.1:9092`. */
  readonly brokers: readonly string[];
}

const version = '4.1.1';
const answersWithinMs = 1_000;

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>portal</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j2-impl</artifactId><version>2.25.1</version>
    </dependency>
  </dependencies>
</project>
`;

/** A single Kafka node, in Docker where that runs. */
export async function startKafka({
  dataDir,
  host,
}: {
  readonly dataDir: string;
  readonly host?: string;
}): Promise<KafkaEngine> {
  if (host || !(await engineIsInDocker())) return startNatively(dataDir, host);
  const engine = await startInDocker('kafka', dataDir);
  return { ...engine, brokers: [engine.address] };
}

/** Its programs, once they are in the cache. */
export const prepareKafka = () =>
  preparedEngine('kafka', version, async (own) => {
    await writeFile(join(own, 'pom.xml'), pom);
    await runTool('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libs'], {
      cwd: own,
    });
  });

/** Broker and controller in one, on free ports of `host`, that keeps its log in `dataDir`. */
async function startNatively(dataDir: string, host = '127.0.0.1'): Promise<KafkaEngine> {
  const directory = await prepareKafka();
  const classPath = join(directory, 'libs', '*');
  const logs = join(dataDir, 'log');
  const properties = join(dataDir, 'server.properties');
  await mkdir(logs, { recursive: true });
  const port = await freePort();
  await writeFile(properties, serverProperties({ host, port, controllerPort: await freePort(), logs }));
  if (!existsSync(join(logs, 'meta.properties'))) {
    // A cluster id may not begin like an option of the command line.
    const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
    await runTool(
      'java',
      ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties],
      { cwd: dataDir },
    ).catch((error: unknown) => {
      throw new Error(`The engine kafka could not be started: ${messageOf(error)}`, { cause: error });
    });
  }
  const engine = await startEngine({
    name: 'kafka',
    program: 'java',
    args: ['-Xmx512m', '-Dlog4j2.level=WARN', '-cp', classPath, 'kafka.Kafka', properties],
    logDir: dataDir,
    isServing: () => answersKafka(host, port),
  });
  return Object.assign(storedIn(dataDir, engine), { brokers: [`${host}:${port}`] });
}

function serverProperties(options: {
  host: string;
  port: number;
  controllerPort: number;
  logs: string;
}): string {
  const { controllerPort, host, logs, port } = options;
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://${host}:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://${host}:${port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=${logs}
auto.create.topics.enable=false
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=1000
default.replication.factor=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=5
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
`;
}

/** Asks for the versions of the protocol: a broker answers once it takes part in its cluster. */
function answersKafka(host: string, port: number): Promise<boolean> {
  const clientId = Buffer.from('ready');
  const request = Buffer.alloc(14 + clientId.length);
  request.writeInt32BE(request.length - 4, 0);
  request.writeInt16BE(18, 4); // ApiVersions, version 0, correlation id 0
  request.writeInt16BE(clientId.length, 12);
  clientId.copy(request, 14);
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(request));
    socket.setTimeout(answersWithinMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('close', () => resolve(false));
  });
}
