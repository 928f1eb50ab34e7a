import type { Attempt } from './attempt.ts';

const shown = 300;
const examples = 3;

/** What the fuzz test has seen, and each kind of fault with requests that show it. */
export class Findings {
  readonly #seed: number;
  readonly #statuses = new Map<number, number>();
  readonly #faults = new Map<string, { routes: Set<string>; examples: string[]; count: number }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  add(attempt: Attempt, number: number, status: number, faults: readonly string[]): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.blame(attempt, number, faults);
  }

  blame(attempt: Attempt, number: number, faults: readonly string[]): void {
    for (const fault of faults) {
      const known = this.#faults.get(fault) ?? { routes: new Set(), examples: [], count: 0 };
      known.count += 1;
      // One for each route, for the same fault may have several causes.
      if (known.examples.length < examples && !known.routes.has(attempt.route.id))
        known.examples.push(`  FUZZ_SEED=${this.#seed} FUZZ_CASE=${number}\n${described(attempt)}`);
      known.routes.add(attempt.route.id);
      this.#faults.set(fault, known);
    }
  }

  summary(): string {
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b);
    const all = statuses.reduce((sum, [, count]) => sum + count, 0);
    return `${all} requests: ${statuses.map(([status, count]) => `${count} of ${status}`).join(', ')}`;
  }

  /** Empty when nothing is wrong. */
  report(): string {
    return [...this.#faults]
      .map(([fault, { count, examples, routes }]) =>
        [`${fault}: ${count} times, ${[...routes].join(' ')}`, ...examples].join('\n'),
      )
      .join('\n\n');
  }
}

const short = (text: string) =>
  text.length > shown ? `${text.slice(0, shown)}… (${text.length} characters)` : text;

function described({ actor, authorization, body, headers, method, path, route }: Attempt): string {
  const who = authorization === 'own' ? actor : authorization ? JSON.stringify(authorization.text) : 'nobody';
  return [
    `    ${route.id} as ${short(who)}: ${method} ${short(path)}`,
    ...Object.entries(headers).map(([name, value]) => `    ${name}: ${short(JSON.stringify(value))}`),
    ...(body === undefined ? [] : [`    ${short(JSON.stringify(body.toString()))}`]),
  ].join('\n');
}
