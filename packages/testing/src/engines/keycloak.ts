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
  /** The address of the SAML metadata of a realm. */
  samlMetadataOf(realm: string): string;
  /**
   * Lets people of a realm sign in at a service provider by SAML, as Keycloak makes a client of its metadata; `client` goes before that.
   * It tells the e-mail address as the NameID, the name as `displayName`, and the groups by name as `groups`.
   */
  addSamlClient(realm: string, metadata: string, client?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Makes another key, with which the realm signs from now on; the one before is taken away. */
  changeSigningKey(realm: string): Promise<void>;
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
    /** The paths of groups of the realm: `/Sales`. */
    readonly groups?: readonly string[];
  }[];
  readonly groups?: readonly { readonly name: string }[];
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

  async function ask<T>(method: string, path: string, body?: { type: string; text: string }): Promise<T> {
    const reply = await fetch(`${url}/admin/realms${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await accessToken()}`,
        ...(body && { 'content-type': body.type }),
      },
      ...(body && { body: body.text }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`Keycloak refuses ${method} ${path}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const json = (value: unknown) => ({ type: 'application/json', text: JSON.stringify(value) });

  return Object.assign(storedIn(dataDir, engine), {
    issuerOf: (realm: string) => `${url}/realms/${realm}`,
    samlMetadataOf: (realm: string) => `${url}/realms/${realm}/protocol/saml/descriptor`,
    async makeRealm({ clients, realm, users, ...others }: KeycloakRealm) {
      const made = {
        ...others,
        realm,
        enabled: true,
        clients: clients.map((client) => ({ ...client, protocol: 'openid-connect' })),
        users: users.map(({ password: value, ...user }) => ({
          ...user,
          enabled: true,
          credentials: [{ type: 'password', value, temporary: false }],
        })),
      };
      await ask('POST', '', json(made));
    },
    async addSamlClient(realm: string, metadata: string, more: Readonly<Record<string, unknown>> = {}) {
      const client = await ask<SamlClient>('POST', `/${realm}/client-description-converter`, {
        type: 'application/xml',
        text: metadata,
      });
      const attributes = {
        ...client.attributes,
        saml_name_id_format: 'email',
        saml_force_name_id_format: 'true',
      };
      await ask('POST', `/${realm}/clients`, json({ ...client, attributes, protocolMappers, ...more }));
    },
    async changeSigningKey(realm: string) {
      const { id } = await ask<{ id: string }>('GET', `/${realm}`);
      const type = 'org.keycloak.keys.KeyProvider';
      const keys = await ask<{ id: string; providerId: string }[]>(
        'GET',
        `/${realm}/components?type=${type}`,
      );
      await ask(
        'POST',
        `/${realm}/components`,
        json({
          ...{ name: 'another', parentId: id, providerId: 'rsa-generated', providerType: type },
          config: { priority: ['200'], keySize: ['2048'], algorithm: ['RS256'] },
        }),
      );
      for (const key of keys.filter(({ providerId }) => providerId === 'rsa-generated')) {
        await ask('DELETE', `/${realm}/components/${key.id}`);
      }
    },
  });
}

interface SamlClient {
  readonly attributes: Readonly<Record<string, string>>;
}

const mapper = (name: string, protocolMapper: string, config: Readonly<Record<string, string>>) => ({
  name,
  protocol: 'saml',
  protocolMapper,
  config: { 'attribute.nameformat': 'Basic', ...config },
});

const protocolMappers = [
  mapper('name', 'saml-user-property-mapper', {
    'user.attribute': 'firstName',
    'attribute.name': 'displayName',
  }),
  mapper('groups', 'saml-group-membership-mapper', {
    'attribute.name': 'groups',
    'full.path': 'false',
    single: 'true',
  }),
];
