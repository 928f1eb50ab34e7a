import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../product.ts';
import { preparedEngine, runTool } from './cache.ts';
import { type StoredEngine, startEngine, storedIn } from './engine-process.ts';

/** An identity provider with its own pages. It keeps everything in memory: a start begins without the realms of the last one. */
export interface KeycloakEngine extends StoredEngine {
  /** The issuer of a realm, which need not be there yet. */
  issuerOf(realm: string): string;
  /** Makes a realm with all that it names. */
  makeRealm(realm: KeycloakRealm): Promise<void>;
}

/** As Keycloak's REST API takes it; what is not named has Keycloak's default. */
export interface KeycloakRealm {
  readonly realm: string;
  readonly clients: readonly {
    readonly clientId: string;
    readonly secret: string;
    readonly redirectUris: readonly string[];
    /** Whether people are asked if they want to be known to the client. */
    readonly consentRequired: boolean;
  }[];
  readonly users: readonly {
    readonly username: string;
    readonly email: string;
    readonly emailVerified: boolean;
    readonly firstName: string;
    readonly lastName: string;
    readonly password: string;
  }[];
}

const version = '26.4.5';
/** It makes the tables of its database first. */
const servesWithinMs = 240_000;

/** What its own script gives to Java. */
const javaArgs = (directory: string): readonly string[] => {
  const home = join(directory, `keycloak-${version}`);
  return [
    ...['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Duser.language=en'],
    ...['util', 'util.concurrent', 'security'].map(
      (name) => `--add-opens=java.base/java.${name}=ALL-UNNAMED`,
    ),
    '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory',
    '-Djava.util.logging.manager=org.jboss.logmanager.LogManager',
    '-Dpicocli.disable.closures=true',
    `-Dkc.home.dir=${home}`,
    ...['-cp', join(home, 'lib', 'quarkus-run.jar'), 'io.quarkus.bootstrap.runner.QuarkusEntryPoint'],
  ];
};

/** Its programs, once they are in the cache, made for a database in memory: it does that only once. */
const prepareKeycloak = () =>
  preparedEngine('keycloak', version, async (own) => {
    const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${version}:zip`;
    await runTool('mvn', ['-q', '-B', 'dependency:unpack', artifact, `-DoutputDirectory=${own}`], {
      cwd: own,
    });
    await runTool('java', [...javaArgs(own), 'build', '--db=dev-mem'], { cwd: own });
  });

/** Keycloak as a process of this machine, on a free port: it speaks plain HTTP, and nobody else reaches it. */
export async function startKeycloak({ dataDir }: { readonly dataDir: string }): Promise<KeycloakEngine> {
  const directory = await prepareKeycloak();
  const host = '127.0.0.1';
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const [username, password] = ['admin', randomBytes(24).toString('hex')];
  const engine = await startEngine({
    name: 'keycloak',
    program: 'java',
    args: [
      ...javaArgs(directory),
      ...['start', '--optimized', '--cache=local', '--http-enabled=true', `--hostname=${url}`],
      ...[`--http-host=${host}`, `--http-port=${port}`],
    ],
    env: { KC_BOOTSTRAP_ADMIN_USERNAME: username, KC_BOOTSTRAP_ADMIN_PASSWORD: password },
    logDir: dataDir,
    servesWithinMs,
    isServing: async () => (await fetch(`${url}/realms/master`)).ok,
  });

  async function accessToken(): Promise<string> {
    const grant = { grant_type: 'password', client_id: 'admin-cli', username, password };
    const reply = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(grant),
    });
    const { access_token: token } = (await reply.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`Keycloak does not let its administrator in: ${reply.status}`);
    return token;
  }

  return Object.assign(storedIn(dataDir, engine), {
    issuerOf: (realm: string) => `${url}/realms/${realm}`,
    async makeRealm({ clients, realm, users }: KeycloakRealm) {
      const reply = await fetch(`${url}/admin/realms`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          realm,
          enabled: true,
          clients: clients.map((client) => ({ ...client, protocol: 'openid-connect' })),
          users: users.map(({ password: value, ...user }) => ({
            ...user,
            enabled: true,
            credentials: [{ type: 'password', value, temporary: false }],
          })),
        }),
      });
      if (!reply.ok) throw new Error(`Keycloak refuses the realm ${realm}: ${await reply.text()}`);
    },
  });
}
