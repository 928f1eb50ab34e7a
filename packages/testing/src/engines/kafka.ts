import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

/** One that lets nobody in but by TLS and with a name and a password. */
export interface SecuredKafkaEngine extends KafkaEngine {
  /** The certificate to trust, in PEM. */
  readonly ca: string;
  readonly username: string;
  readonly password: string;
}

/** As `startKafka`, natively, with every mechanism of SASL that the product knows. Needs openssl. */
export async function startSecuredKafka({ dataDir }: { dataDir: string }): Promise<SecuredKafkaEngine> {
  const [username, password] = ['portal', randomBytes(12).toString('hex')];
  const [keyFile, certificateFile] = [join(dataDir, 'key.pem'), join(dataDir, 'certificate.pem')];
  await runTool(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=kafka'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certificateFile],
    ],
    { cwd: dataDir },
  );
  const ca = await readFile(certificateFile, 'utf8');
  const keyStore = join(dataDir, 'keystore.pem');
  await writeFile(keyStore, `${await readFile(keyFile, 'utf8')}${ca}`);
  const port = await freePort();
  const engine = await startNatively(dataDir, '127.0.0.1', {
    listener: `CLIENTS://127.0.0.1:${port}`,
    properties: securedProperties({ keyStore, username, password }),
    formatArgs: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${username},password=${password}]`,
    ]),
  });
  return Object.assign(engine, { brokers: [`127.0.0.1:${port}`], ca, username, password });
}

/** A listener for clients beside the one of the broker itself. */
interface ClientListener {
  readonly listener: string;
  readonly properties: string;
  /** What the storage is made with. */
  readonly formatArgs: readonly string[];
}

/** Broker and controller in one, on free ports of `host`, that keeps its log in `dataDir`. */
async function startNatively(
  dataDir: string,
  host = '127.0.0.1',
  clients?: ClientListener,
): Promise<KafkaEngine> {
  const directory = await prepareKafka();
  const classPath = join(directory, 'libs', '*');
  const logs = join(dataDir, 'log');
  const properties = join(dataDir, 'server.properties');
  await mkdir(logs, { recursive: true });
  const port = await freePort();
  await writeFile(
    properties,
    serverProperties({ host, port, controllerPort: await freePort(), logs, clients }),
  );
  if (!existsSync(join(logs, 'meta.properties'))) {
    // A cluster id may not begin like an option of the command line.
    const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
    await runTool(
      'java',
      [
        ...['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties],
        ...(clients?.formatArgs ?? []),
      ],
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
  clients: ClientListener | undefined;
}): string {
  const { clients, controllerPort, host, logs, port } = options;
  const listeners = [`PLAINTEXT://${host}:${port}`, ...(clients ? [clients.listener] : [])].join(',');
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=${listeners},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=${listeners}
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
${clients?.properties ?? ''}`;
}

function securedProperties(options: { keyStore: string; username: string; password: string }): string {
  const { keyStore, password, username } = options;
  const login = 'org.apache.kafka.common.security';
  return `listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,CLIENTS:SASL_SSL
ssl.keystore.type=PEM
ssl.keystore.location=${keyStore}
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.clients.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_${username}="${password}";
listener.name.clients.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;
listener.name.clients.scram-sha-512.sasl.jaas.config=${login}.scram.ScramLoginModule required;
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
