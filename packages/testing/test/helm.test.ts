import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import {
  serviceNames,
  services,
  servicesWithDatabase,
  tenantEvents,
  tokenAuthority,
} from '@portal/contracts';
import { publicKeyOf } from '@portal/service-kit/host';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { allSubscriptions } from '../../../scripts/subscriptions.ts';

const root = resolve(import.meta.dirname, '../../..');
const chart = join(root, 'helm', 'portal');
const ownFiles = join(chart, 'charts', 'service', 'services');

/** On the path, or where a cluster without Docker was built. */
function findTool(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const built = globSync(join(homedir(), '.cache', 'kubernetes-local', '*', 'bin'));
  return [...folders, ...built].map((folder) => join(folder, name)).find((path) => existsSync(path));
}
const helm = findTool('helm');
const kubectl = findTool('kubectl');

function run(program: string | undefined, ...args: string[]): { ok: boolean; output: string } {
  const { status, stderr, stdout } = spawnSync(program ?? '', args, { cwd: root, encoding: 'utf8' });
  return { ok: status === 0, output: status === 0 ? stdout : stderr };
}
const template = (...args: string[]) =>
  run(helm, 'template', 'portal', chart, '--kube-version', '1.34.0', '--namespace', 'here', ...args);

interface Peer {
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly ports: readonly { readonly port: string | number; readonly protocol: string }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}
interface Container {
  readonly image: string;
  readonly args?: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly securityContext: object;
  readonly volumeMounts?: readonly object[];
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
}
interface Rendered {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas?: number;
    readonly minReplicas?: number;
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      readonly spec: {
        readonly automountServiceAccountToken: boolean;
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly volumes?: readonly object[];
        readonly containers: readonly [Container];
      };
    };
  };
}

function render(...args: string[]): readonly Rendered[] {
  const { ok, output } = template(...args);
  if (!ok) throw new Error(output);
  return objectsIn(output);
}

function objectsIn(text: string): readonly Rendered[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS() as Rendered | null;
    return object ? [object] : [];
  });
}

let plain: readonly Rendered[] | undefined;
/** With no values but the chart's own. */
function standard(): readonly Rendered[] {
  plain ??= render();
  return plain;
}

const find = (objects: readonly Rendered[], kind: string, name: string): Rendered => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
};
/** The environment of a pod: values, and where secrets stand. */
const envOf = ({ spec }: Rendered): Readonly<Record<string, string>> =>
  Object.fromEntries(
    spec.template.spec.containers[0].env.map(({ name, value, valueFrom }) => [
      name,
      value ?? `${valueFrom?.secretKeyRef.name}/${valueFrom?.secretKeyRef.key}`,
    ]),
  );
const kindsOf = (objects: readonly Rendered[], name: string) =>
  objects
    .filter(({ metadata }) => metadata.name === name)
    .map(({ kind }) => kind)
    .sort();

// Read, not rendered: this needs no helm.
test('The files of the Helm chart name the topics that the services follow', async () => {
  const subscriptions = await allSubscriptions();
  for (const service of serviceNames) {
    const followed: string[] = subscriptions
      .filter((one) => one.service === service)
      .map(({ event }) => event.topic);
    // The kit deletes the rows of a deleted partner in every database.
    if (servicesWithDatabase.includes(service)) followed.push(tenantEvents.partnerDeleted.topic);
    const own = parse(readFileSync(join(ownFiles, `${service}.yaml`), 'utf8')) as { topics?: string[] };
    expect([...(own.topics ?? [])].sort(), service).toEqual([...new Set(followed)].sort());
  }
});

describe('The Helm chart', () => {
  beforeEach((context) => context.skip(!helm, 'helm is not installed'));

  test('passes the linter, also with the values of a trial', () => {
    for (const values of [[], ['-f', join(chart, 'values.demo.yaml')]]) {
      const { ok, output } = run(helm, 'lint', '--strict', chart, ...values);
      expect(ok, output).toBe(true);
    }
  });

  test('has every service, and a file of values for each', () => {
    const { dependencies } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as {
      dependencies: { alias: string }[];
    };
    expect(dependencies.map(({ alias }) => alias)).toEqual([...serviceNames]);
    const files = readdirSync(ownFiles).map((file) => basename(file, '.yaml'));
    expect(files.sort()).toEqual([...serviceNames].sort());
  });

  test('makes of a service what runs and guards it, each replaceable without a gap', () => {
    const objects = standard();
    expect(kindsOf(objects, 'portal-file')).toEqual([
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Service', 'ServiceAccount'],
    ]);
    for (const service of serviceNames) {
      const { spec } = find(objects, 'Deployment', `portal-${service}`);
      const [container] = spec.template.spec.containers;
      expect(spec).toMatchObject({ strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        topologySpreadConstraints: [
          { topologyKey: 'kubernetes.io/hostname' },
          { topologyKey: 'topology.kubernetes.io/zone' },
        ],
      });
      expect(container).toMatchObject({
        image: `portal/${service}:0.1.0`,
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        resources: { requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } },
        startupProbe: { httpGet: { path: '/healthz' } },
        livenessProbe: { httpGet: { path: '/healthz' } },
      });
      const settings = find(objects, 'ConfigMap', `portal-${service}`).data ?? {};
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
        Number(settings['DRAIN_SECONDS']),
      );
    }
  });

  test('asks a gateway about itself alone', () => {
    const [container] = find(standard(), 'Deployment', 'portal-gateway').spec.template.spec.containers;
    expect(container.readinessProbe?.httpGet.path).toBe('/readyz?only=self');
  });

  test('takes secrets from Secrets that exist, each service only those that it needs', () => {
    const pg = [
      '--set',
      'file.secrets.DATABASE_PASSWORD.secret=pg,file.secrets.DATABASE_PASSWORD.key=password',
    ];
    expect(template(...pg).output).not.toContain('kind: Secret');
    const objects = render(...pg);
    const secretsOf = (service: string) => envOf(find(objects, 'Deployment', `portal-${service}`));
    expect(secretsOf('mail')).toEqual({
      INTERNAL_KEYS: 'portal/MAIL_INTERNAL_KEYS',
      INTERNAL_PUBLIC_KEYS: 'portal/INTERNAL_PUBLIC_KEYS',
      DATABASE_PASSWORD: 'portal/MAIL_DATABASE_PASSWORD',
      MAIL_URL: 'portal/MAIL_URL',
    });
    expect(secretsOf('file')).toMatchObject({ DATABASE_PASSWORD: 'pg/password' });
    const holdersOf = (name: string) => serviceNames.filter((service) => name in secretsOf(service));
    expect(holdersOf('KEY_ENCRYPTION_KEY')).toEqual(['identity', 'tenant', 'push', 'sso', 'document']);
    expect(holdersOf('ADMIN_PASSWORD')).toEqual(['identity']);
    expect(holdersOf('API_KEY')).toEqual(['gateway', 'identity', 'tenant']);
    expect(holdersOf('MAIL_URL')).toEqual(['mail']);
    expect(holdersOf('STORAGE_SECRET')).toEqual(['gateway', 'file', 'batch']);
    expect(holdersOf('S3_SECRET_ACCESS_KEY')).toEqual(['gateway', 'tenant', 'user', 'file', 'batch', 'push']);
    expect(holdersOf('DATABASE_PASSWORD')).toEqual(serviceNames.filter((service) => service !== 'gateway'));
  });

  test('gives no service what makes roles, nor what is of an owner, nor what another service has for itself', () => {
    for (const values of [[], ['-f', join(chart, 'values.demo.yaml')]]) {
      const objects = render(...values);
      for (const service of serviceNames) {
        const secrets = envOf(find(objects, 'Deployment', `portal-${service}`));
        const settings = find(objects, 'ConfigMap', `portal-${service}`).data ?? {};
        expect(
          Object.keys({ ...secrets, ...settings }).filter((name) => /ADMIN_URL|OWNER/.test(name)),
        ).toEqual([]);
        expect(settings['DATABASE_URL'] ?? 'postgresql://').not.toContain('@');
        const others = serviceNames.filter((other) => other !== service).map((other) => other.toUpperCase());
        for (const at of Object.values(secrets))
          expect(
            others.filter((other) => at.startsWith(`portal/${other}_`)),
            at,
          ).toEqual([]);
      }
    }
  });

  test('makes databases and migrates before an install and an upgrade, with the new image, for services with a database', () => {
    const jobs = standard().filter(({ kind }) => kind === 'Job');
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      ['batch', 'document', 'file', 'identity', 'mail', 'push', 'sso', 'tenant', 'user'].map(
        (service) => `portal-${service}-provision`,
      ),
    );
    for (const job of jobs) {
      expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      const [container] = job.spec.template.spec.containers;
      expect(container.args).toEqual(['provision']);
      const service = job.metadata.name.split('-')[1]?.toUpperCase();
      expect(envOf(job)).toEqual({
        DEMO: '0',
        LOG_LEVEL: 'info',
        DATABASE_ADMIN_URL: 'portal/DATABASE_ADMIN_URL',
        DATABASE_PASSWORD: `portal/${service}_DATABASE_PASSWORD`,
        DATABASE_OWNER_PASSWORD: `portal/${service}_DATABASE_OWNER_PASSWORD`,
      });
    }
  });

  test('runs the jobs where and as the service runs', () => {
    const values = {
      global: { settings: { NODE_OPTIONS: '--use-system-ca' } },
      file: {
        settings: { EVENT_RETRY_LONGEST_SECONDS: 60 },
        podLabels: { team: 'a' },
        podAnnotations: { note: 'b' },
        nodeSelector: { pool: 'portal' },
        tolerations: [{ key: 'portal', operator: 'Exists' }],
        priorityClassName: 'high',
      },
    };
    const objects = render(
      ...Object.entries(values).flatMap(([name, value]) => [
        '--set-json',
        `${name}=${JSON.stringify(value)}`,
      ]),
    );
    const job = find(objects, 'Job', 'portal-file-provision');
    for (const { spec } of [job, find(objects, 'Deployment', 'portal-file')])
      expect(spec.template).toMatchObject({
        metadata: { labels: { team: 'a' }, annotations: { note: 'b' } },
        spec: {
          nodeSelector: { pool: 'portal' },
          tolerations: [{ key: 'portal', operator: 'Exists' }],
          priorityClassName: 'high',
        },
      });
    expect(envOf(job)).toMatchObject({ NODE_OPTIONS: '--use-system-ca', EVENT_RETRY_LONGEST_SECONDS: '60' });
  });

  test.each(['--set', '--set-json'])('writes a large number of %s in digits', (how) => {
    const objects = render(how, 'document.settings.DOCUMENT_QUOTA_BYTES=86400000');
    expect(find(objects, 'ConfigMap', 'portal-document').data).toMatchObject({
      DOCUMENT_QUOTA_BYTES: '86400000',
    });
  });

  test('runs two pods of each service at least', () => {
    for (const service of serviceNames) {
      const { replicas } = find(standard(), 'Deployment', `portal-${service}`).spec;
      const scaled = standard().find(
        ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === `portal-${service}`,
      );
      expect([service, replicas ?? scaled?.spec.minReplicas]).toEqual([service, 2]);
    }
  });

  test('makes them beside the install where it is no hook, by a job for each thing to do', () => {
    const jobOf = (...args: string[]) => {
      const [job] = render('--set', 'global.provision.hook=false', ...args).filter(
        ({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith('portal-file-provision-'),
      );
      return job?.metadata;
    };
    expect(jobOf()?.annotations).toBeUndefined();
    expect(jobOf()?.name).toBe(jobOf()?.name);
    expect(jobOf('--set', 'global.image.tag=v2')?.name).not.toBe(jobOf()?.name);
  });

  test('signs in to Kafka over TLS where that is asked for, KEDA as well', () => {
    const kafka = 'global.engines.kafka';
    const objects = render(
      ...[
        '--set',
        `${kafka}.tls.enabled=true,${kafka}.tls.ca=CERTIFICATE,${kafka}.sasl.mechanism=scram-sha-256`,
      ],
      ...['--set', 'file.autoscaling.keda.enabled=true'],
    );
    for (const service of serviceNames) {
      expect(find(objects, 'ConfigMap', `portal-${service}`).data).toMatchObject({
        KAFKA_SSL: '1',
        KAFKA_TLS_CA: 'CERTIFICATE',
        KAFKA_SASL_MECHANISM: 'scram-sha-256',
      });
      expect(envOf(find(objects, 'Deployment', `portal-${service}`))).toMatchObject({
        KAFKA_SASL_USERNAME: 'portal/KAFKA_SASL_USERNAME',
        KAFKA_SASL_PASSWORD: 'portal/KAFKA_SASL_PASSWORD',
      });
    }
    expect(find(objects, 'ScaledObject', 'portal-file').spec).toMatchObject({
      triggers: expect.arrayContaining([
        {
          type: 'kafka',
          metadata: expect.objectContaining({ sasl: 'scram_sha256', tls: 'enable' }),
          authenticationRef: { name: 'portal-file-kafka' },
        },
      ]),
    });
    expect(find(objects, 'TriggerAuthentication', 'portal-file-kafka').spec).toMatchObject({
      configMapTargetRef: [{ parameter: 'ca', name: 'portal-file', key: 'KAFKA_TLS_CA' }],
      secretTargetRef: [
        { parameter: 'password', name: 'portal', key: 'KAFKA_SASL_PASSWORD' },
        { parameter: 'username', name: 'portal', key: 'KAFKA_SASL_USERNAME' },
      ],
    });
  });

  test('lets KEDA trust the private authorities as well, where Kafka has TLS', () => {
    const spec = (...settings: string[]) =>
      find(
        render('--set', ['file.autoscaling.keda.enabled=true', ...settings].join()),
        'ScaledObject',
        'portal-file',
      ).spec as object;
    const authorities = ['global.authorities.configMap=own', 'global.authorities.key=root.pem'];
    const tls = 'global.engines.kafka.tls.enabled=true';
    const objects = render('--set', ['file.autoscaling.keda.enabled=true', tls, ...authorities].join());
    expect(find(objects, 'TriggerAuthentication', 'portal-file-kafka').spec).toEqual({
      configMapTargetRef: [{ parameter: 'ca', name: 'own', key: 'root.pem' }],
    });
    expect(JSON.stringify(spec(tls, ...authorities))).toContain('portal-file-kafka');
    expect(JSON.stringify(spec(tls))).not.toContain('portal-file-kafka');
    expect(JSON.stringify(spec(...authorities))).not.toContain('portal-file-kafka');
  });

  test('gives a service a PostgreSQL server of its own, which its network policy opens', () => {
    const peer = { ipBlock: { cidr: '10.30.0.0/24' } };
    const database = { url: 'postgresql://pg-file', port: 5433, to: [peer] };
    const objects = render(
      ...['--set-json', `file.database=${JSON.stringify(database)}`],
      ...['--set-json', 'global.engines.database.to=[{"ipBlock":{"cidr":"10.20.0.0/24"}}]'],
      ...['--set', 'file.secrets.DATABASE_ADMIN_URL.secret=pg-file'],
    );
    const urlOf = (service: string) => find(objects, 'ConfigMap', `portal-${service}`).data?.['DATABASE_URL'];
    expect([urlOf('file'), urlOf('user')]).toEqual(['postgresql://pg-file', 'postgresql://postgres:5432']);
    expect(envOf(find(objects, 'Job', 'portal-file-provision'))).toMatchObject({
      DATABASE_ADMIN_URL: 'pg-file/DATABASE_ADMIN_URL',
    });
    const { egress } = find(objects, 'NetworkPolicy', 'portal-file').spec;
    expect(egress).toContainEqual({ ports: [{ protocol: 'TCP', port: 5433 }], to: [peer] });
    expect(JSON.stringify(egress)).not.toContain('10.20.0.0');
  });

  test('lets the job before an upgrade reach a database that has moved, which the policy from before forbids', () => {
    const peer = { ipBlock: { cidr: '10.30.0.0/24' } };
    const moved = [
      ...['--set', 'global.engines.database.url=postgresql://pg:6432'],
      ...['--set-json', `global.engines.database.to=${JSON.stringify([peer])}`],
      ...['--set-json', 'file.egress=[{"ports":[{"port":15012}]}]'],
    ];
    const { metadata, spec } = find(render(...moved), 'NetworkPolicy', 'portal-file-provision');
    expect(metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-1',
    });
    expect(spec).toMatchObject({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'file', 'app.kubernetes.io/component': 'provision' },
      },
      egress: [
        { ports: [{ port: 53 }, { port: 53 }] },
        { ports: [{ protocol: 'TCP', port: 6432 }], to: [peer] },
        { ports: [{ port: 15012 }] },
      ],
    });
    for (const off of ['global.provision.hook=false', 'global.networkPolicy.enabled=false'])
      expect(kindsOf(render('--set', off), 'portal-file-provision')).not.toContain('NetworkPolicy');
  });

  test.each([
    ['file', 'file.secrets.DATABASE_URL.secret=pg'],
    ['mail', 'mail.secrets.MONGODB_URL.secret=mongodb'],
    ['gateway', 'gateway.secrets.DATABASE_ADMIN_URL.secret=pg'],
    ['global', 'global.secrets.SIGNUP_KEY.secret=keys'],
  ])('refuses a secret that nothing takes: %s', (_, value) => {
    const { ok, output } = template('--set', value);
    expect(ok).toBe(false);
    expect(output).toContain(`${value.split('.secret=')[0]}: `);
  });

  test('takes every secret that something takes from where it is', () => {
    const at = JSON.stringify({ secret: 'other', key: 'key' });
    const names = ['DATABASE_ADMIN_URL', 'MAIL_URL', 'MONGODB_URL', 'KAFKA_SASL_PASSWORD', 'ADMIN_PASSWORD'];
    const { ok, output } = template(
      ...names.flatMap((name) => ['--set-json', `global.secrets.${name}=${at}`]),
      ...['DATABASE_OWNER_PASSWORD', 'KAFKA_SASL_USERNAME'].flatMap((name) => [
        '--set-json',
        `file.secrets.${name}=${at}`,
      ]),
    );
    expect(ok, output).toBe(true);
  });

  test('trusts the authorities of a ConfigMap, in the pods of services and of jobs', () => {
    const objects = render('--set', 'global.authorities.configMap=authorities');
    for (const service of serviceNames)
      expect(find(objects, 'ConfigMap', `portal-${service}`).data).toMatchObject({
        NODE_EXTRA_CA_CERTS: '/etc/portal/authorities.pem',
      });
    const jobs = objects.filter(({ kind }) => kind === 'Job');
    for (const job of jobs)
      expect(envOf(job)).toMatchObject({ NODE_EXTRA_CA_CERTS: '/etc/portal/authorities.pem' });
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    for (const { spec } of [...deployments, ...jobs]) {
      const [container] = spec.template.spec.containers;
      expect(spec.template.spec.volumes).toEqual([
        {
          name: 'authorities',
          configMap: { name: 'authorities', items: [{ key: 'ca.crt', path: 'authorities.pem' }] },
        },
      ]);
      expect(container.volumeMounts).toEqual([
        { name: 'authorities', mountPath: '/etc/portal', readOnly: true },
      ]);
    }
    expect(template().output).not.toMatch(/NODE_EXTRA_CA_CERTS|volumes:/);
  });

  test('replaces pods when their settings change, and only those', () => {
    const checksumOf = (service: string, ...args: string[]) =>
      find(render(...args), 'Deployment', `portal-${service}`).spec.template.metadata.annotations[
        'checksum/settings'
      ];
    const more = ['--set', 'file.settings.KAFKA_PARTITIONS=12'];
    expect(checksumOf('file', ...more)).not.toBe(checksumOf('file'));
    expect(checksumOf('user', ...more)).toBe(checksumOf('user'));
  });

  test('opens the gateway by an Ingress, or by the Gateway API, with the host of the public address', () => {
    const address = ['--set', 'global.publicUrl=https://portal.example.com'];
    const ingress = ['--set', 'gateway.ingress.enabled=true,gateway.ingress.tlsSecret=cert'];
    const route = ['--set', 'gateway.gatewayApi.enabled=true,gateway.gatewayApi.parentRefs[0].name=public'];
    const objects = render(...address, ...ingress, ...route);
    expect(find(objects, 'Ingress', 'portal-gateway').spec).toMatchObject({
      tls: [{ hosts: ['portal.example.com'], secretName: 'cert' }],
      rules: [{ host: 'portal.example.com' }],
    });
    expect(find(objects, 'HTTPRoute', 'portal-gateway').spec).toMatchObject({
      hostnames: ['portal.example.com'],
      parentRefs: [{ name: 'public' }],
    });
    expect(standard().some(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute')).toBe(false);
  });

  test('trusts the addresses that its ingress forwards, and none without an ingress', () => {
    const proxiesOf = (...args: string[]) =>
      find(render(...args.flatMap((value) => ['--set', value])), 'ConfigMap', 'portal-gateway').data?.[
        'TRUSTED_PROXIES'
      ];
    const ingress = 'gateway.ingress.enabled=true';
    const anyCluster = '10.0.0.0/8,100.64.0.0/10,172.16.0.0/12,192.168.0.0/16,fc00::/7';
    expect(proxiesOf()).toBeUndefined();
    expect(proxiesOf(ingress)).toBe(anyCluster);
    expect(proxiesOf('gateway.gatewayApi.enabled=true')).toBe(anyCluster);
    expect(proxiesOf(ingress, 'gateway.trustedProxies={10.244.0.0/16}')).toBe('10.244.0.0/16');
    expect(proxiesOf(ingress, 'gateway.settings.TRUSTED_PROXIES=10.42.0.0/16')).toBe('10.42.0.0/16');
    const file = find(render('--set', ingress), 'ConfigMap', 'portal-file').data;
    expect(file?.['TRUSTED_PROXIES']).toBeUndefined();
  });

  test('scales by what a service has not taken from Kafka yet, where KEDA is asked for', () => {
    const objects = render('--set', 'file.autoscaling.keda.enabled=true');
    expect(kindsOf(objects, 'portal-file')).not.toContain('HorizontalPodAutoscaler');
    expect(find(objects, 'ScaledObject', 'portal-file').spec).toMatchObject({
      maxReplicaCount: 6,
      triggers: [
        { type: 'kafka', metadata: { consumerGroup: 'file', topic: 'portal.tenant' } },
        { type: 'kafka', metadata: { consumerGroup: 'file', topic: 'portal.user' } },
        { type: 'kafka', metadata: { consumerGroup: 'file', topic: 'portal.push' } },
        { type: 'kafka', metadata: { consumerGroup: 'file', topic: 'portal.batch' } },
        { type: 'cpu' },
      ],
    });
  });

  test('watches the collector for metrics where that is asked for', () => {
    const objects = render('--set', 'telemetry.serviceMonitor.enabled=true');
    expect(find(objects, 'ServiceMonitor', 'portal').spec).toMatchObject({
      endpoints: [{ port: 'prometheus' }],
    });
  });

  test('brings engines and their passwords with a trial alone', () => {
    const objects = render('-f', join(chart, 'values.demo.yaml'));
    const engines = objects.filter(({ kind }) => kind === 'StatefulSet').map(({ metadata }) => metadata.name);
    expect(engines.sort()).toEqual(['demo-kafka', 'demo-mongodb', 'demo-postgres', 'demo-storage']);
    expect(find(objects, 'ConfigMap', 'portal-file').data).toMatchObject({
      KAFKA_BROKERS: 'demo-kafka:9092',
      S3_ENDPOINT: 'http://demo-storage:9000',
      DEMO: '1',
    });
    // The keys of a trial are pairs that belong together.
    const { metadata, stringData = {} } = find(objects, 'Secret', 'portal');
    expect(stringData['INTERNAL_PUBLIC_KEYS']).toBe(
      serviceNames
        .map((service) => {
          const key = Buffer.from(stringData[`${service.toUpperCase()}_INTERNAL_KEYS`] ?? '', 'base64');
          return `${service}:${publicKeyOf(key)}`;
        })
        .join(','),
    );
    // The volumes outlive a release, and nothing but these passwords opens what is on them.
    expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    expect(standard().some(({ kind }) => kind === 'StatefulSet' || kind === 'Secret')).toBe(false);
  });

  test.each([
    ['global.publicUrl=portal.example.com', "at '/global/publicUrl': 'portal.example.com' does not match"],
    ['gatewy.replicas=2', "additional properties 'gatewy' not allowed"],
    ['file.replicas=many', "at '/replicas': got string, want integer"],
    ['file.autoscaling.cpuPercent=300', "at '/autoscaling/cpuPercent': maximum: got 300, want 100"],
    ['file.resource.limits.memory=1Gi', "additional properties 'resource' not allowed"],
    ['global.settings.API_KEY=secret', "invalid propertyName 'API_KEY'"],
    ['global.engines.database.url=postgresql://admin:secret@pg:5432', "at '/global/engines/database/url'"],
    ['global.engines.kafka.brokers[0]=kafka', "'kafka' does not match"],
    ['gateway.trustedProxies={ingress}', "at '/trustedProxies/0': 'ingress' does not match pattern"],
    ['file.database.url=postgresql://portal:secret@pg', "at '/database/url'"],
    ['file.egress[0].port=443', "additional properties 'port' not allowed"],
    ['global.authorities.secret=ca', "additional properties 'secret' not allowed"],
    ['global.authorities.key=', "at '/global/authorities/key': '' does not match"],
    ['global.image.pullPolicy=Sometimes', "at '/global/image/pullPolicy': value must be one of"],
  ])('refuses %s and says why', (value, reason) => {
    const { ok, output } = template('--set', value);
    expect(ok).toBe(false);
    expect(output).toContain(reason);
  });

  const allowed = new Set(
    serviceNames.flatMap((name) =>
      [...services[name].asks, ...(name === tokenAuthority ? [] : [tokenAuthority])].map(
        (other) => `${name} → ${other}`,
      ),
    ),
  );
  const paths = serviceNames.flatMap((from) =>
    serviceNames.filter((to) => to !== from).map((to) => [from, to] as const),
  );
  const policyOf = (service: string) => find(standard(), 'NetworkPolicy', `portal-${service}`).spec;
  const leadsTo = (rules: readonly Rule[] = [], service: string) =>
    rules.some((rule) =>
      [...(rule.from ?? []), ...(rule.to ?? [])].some(
        ({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/name'] === service,
      ),
    );

  test.each(paths.map(([from, to]) => [`${from} → ${to}`, from, to] as const))(
    'the network: %s',
    (path, from, to) => {
      const open = allowed.has(path);
      expect(leadsTo(policyOf(from).egress, to), 'out').toBe(open);
      expect(leadsTo(policyOf(to).ingress, from), 'in').toBe(open);
    },
  );

  test('the network: who asks somebody on the Internet reaches nothing private that way', () => {
    const blocksOf = (service: string) =>
      (policyOf(service).egress ?? []).flatMap(({ to }) =>
        (to ?? []).flatMap(({ ipBlock }) => ipBlock ?? []),
      );
    expect(serviceNames.filter((service) => blocksOf(service).length > 0)).toEqual(['push', 'sso']);
    for (const service of ['push', 'sso']) {
      expect(blocksOf(service)).toMatchObject([
        {
          cidr: '0.0.0.0/0',
          except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']),
        },
        { cidr: '2000::/3' },
      ]);
    }
  });

  test('the network: further addresses of a service are opened for it alone', () => {
    const rule = { ports: [{ protocol: 'TCP', port: 8443 }], to: [{ ipBlock: { cidr: '10.40.0.0/24' } }] };
    const objects = render('--set-json', `push.egress=${JSON.stringify([rule])}`);
    for (const service of serviceNames) {
      const { egress } = find(objects, 'NetworkPolicy', `portal-${service}`).spec;
      const opened = egress?.some(({ ports }) => ports.some(({ port }) => port === 8443));
      expect([service, opened]).toEqual([service, service === 'push']);
      if (opened) expect(egress).toContainEqual(rule);
    }
  });

  test.each([
    ['the one of the address', ['url=postgresql://pg:6432/?sslmode=verify-full'], 6432],
    ['5432 for an address without one', ['url=postgresql://pg'], 5432],
    ['the one that is given', ['url=postgresql://pg:6432', 'port=5433'], 5433],
    ['the one of the address where the port is left empty', ['url=postgresql://pg:6432', 'port=null'], 6432],
  ])('the network: the port of the database is %s', (_, values, port) => {
    const objects = render(...values.flatMap((value) => ['--set', `global.engines.database.${value}`]));
    expect(find(objects, 'NetworkPolicy', 'portal-sso').spec.egress).toContainEqual({
      ports: [{ protocol: 'TCP', port }],
    });
  });

  test('the network: everybody reaches the gateway and nobody else; each its own engines', () => {
    const openToAll = serviceNames.filter((service) =>
      policyOf(service).ingress?.some(({ from }) => from === undefined),
    );
    expect(openToAll).toEqual(['gateway']);
    const enginesOf = (service: string) =>
      policyOf(service)
        .egress?.filter(({ to }) => to === undefined)
        .flatMap(({ ports }) => ports.map(({ port }) => port))
        .filter((port) => port !== 53)
        .sort();
    const portOf = { database: 5432, documents: 27017, storage: 9000, mail: 587 };
    for (const service of serviceNames) {
      const own = services[service].engines.map((engine) => portOf[engine]);
      expect([service, enginesOf(service)]).toEqual([service, [9092, ...own].sort()]);
    }
  });
});

describe('The overlays', () => {
  beforeEach((context) => context.skip(!helm || !kubectl, 'helm or kubectl is not installed'));

  test.each([
    ['development', 'portal-development'],
    ['staging', 'portal-staging'],
    ['production', 'portal'],
  ])('%s is the chart in a namespace of its own', (environment, namespace) => {
    const { ok, output } = run(
      kubectl,
      ...['kustomize', '--enable-helm', '--helm-command', helm ?? ''],
      ...['--load-restrictor', 'LoadRestrictionsNone', join('k8s', environment)],
    );
    expect(ok, output).toBe(true);
    const objects = objectsIn(output);
    for (const service of serviceNames) {
      const { metadata } = find(objects, 'Deployment', `portal-${service}`);
      expect([metadata.namespace, metadata.labels?.['environment']]).toEqual([namespace, environment]);
    }
    expect(objects.filter(({ kind }) => kind === 'Job')).toHaveLength(servicesWithDatabase.length);
    expect(objects.some(({ kind }) => kind === 'StatefulSet')).toBe(environment === 'development');
  });
});
