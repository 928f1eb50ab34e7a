import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** kubectl and Helm on the cluster of `KUBECONFIG`. */

const interruptions = ['SIGINT', 'SIGTERM'] as const;

/** Runs a program to its end. @throws Error with what it printed when it fails */
export async function run(
  program: string,
  args: readonly string[],
  options: { input?: string; env?: Readonly<Record<string, string>>; shown?: boolean; cwd?: string } = {},
): Promise<string> {
  const child = spawn(program, args, {
    stdio: [
      options.input === undefined ? 'ignore' : 'pipe',
      options.shown ? 'inherit' : 'pipe',
      options.shown ? 'inherit' : 'pipe',
    ],
    env: { ...process.env, ...options.env },
    ...(options.cwd && { cwd: options.cwd }),
  });
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => out.push(data));
  child.stderr?.on('data', (data: Buffer) => errors.push(data));
  child.stdin?.end(options.input);
  // Whoever interrupts what is shown wants it to end well.
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  if (options.shown) for (const signal of interruptions) process.on(signal, forward);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => {
    for (const signal of interruptions) process.off(signal, forward);
  });
  if (code !== 0) {
    const said = Buffer.concat([...errors, ...out]).toString();
    throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${said.trim().slice(-2_000)}`);
  }
  return Buffer.concat(out).toString();
}

export interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
}

/** One namespace of the cluster. */
export interface Cluster {
  readonly namespace: string;
  kubectl(...args: string[]): Promise<string>;
  /** Creates or changes objects. */
  apply(object: object): Promise<void>;
  helm(...args: string[]): Promise<string>;
  /** Those of a service, also the ones that are about to go. */
  podsOf(service: string): Promise<readonly Pod[]>;
  replicasOf(service: string): Promise<number>;
}

export function clusterIn(namespace: string): Cluster {
  const kubectl = (...args: string[]) => run('kubectl', ['--namespace', namespace, ...args]);
  return {
    namespace,
    kubectl,
    apply: async (object) =>
      void (await run('kubectl', ['--namespace', namespace, 'apply', '--filename', '-'], {
        input: JSON.stringify(object),
      })),
    helm: (...args) => run('helm', ['--namespace', namespace, ...args]),
    async podsOf(service) {
      const selector = `app.kubernetes.io/name=${service},app.kubernetes.io/component=server`;
      const list: { items: Pod[] } = JSON.parse(await kubectl('get', 'pods', '-l', selector, '-o', 'json'));
      return list.items;
    },
    async replicasOf(service) {
      const text = await kubectl(
        'get',
        'deployment',
        `portal-${service}`,
        '-o',
        'jsonpath={.status.readyReplicas}',
      );
      return Number(text || 0);
    },
  };
}

export const isReady = (pod: Pod) =>
  pod.metadata.deletionTimestamp === undefined &&
  (pod.status.conditions ?? []).some(({ status, type }) => type === 'Ready' && status === 'True');

/** Looks until it is so. @throws Error that says `what` did not come about */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  options: { withinMs: number; everyMs?: number },
): Promise<number> {
  const begun = performance.now();
  let last: unknown;
  for (;;) {
    const so = await isSo().catch((error: unknown) => {
      last = error;
      return false;
    });
    if (so) return performance.now() - begun;
    if (performance.now() - begun > options.withinMs) {
      throw new Error(`Not within ${options.withinMs / 1_000} s: ${what}`, { cause: last });
    }
    await sleep(options.everyMs ?? 500);
  }
}
