export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Report {
  readonly count: Readonly<Count>;
  /** Runs one test; what it `says` is printed under its name. A failure is told and the next one goes on. */
  test(name: string, work: (say: (line: string) => void) => Promise<void>): Promise<boolean>;
  skip(name: string, why: string): void;
  add(count: Count): void;
}

/** Tells of tests as they go on, and counts them. */
export function createReport(): Report {
  const count: Count = { passed: 0, failed: 0, skipped: 0 };
  return {
    count,
    async test(name, work) {
      const begun = performance.now();
      const lines: string[] = [];
      let failure: unknown;
      try {
        await work((line) => lines.push(line));
        count.passed += 1;
      } catch (error) {
        failure = error;
        count.failed += 1;
      }
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      console.log(`${failure === undefined ? '✓' : '✗'} ${name} (${seconds} s)`);
      if (failure !== undefined) lines.push(failure instanceof Error ? failure.message : String(failure));
      for (const line of lines) console.log(`    ${line.replaceAll('\n', '\n    ')}`);
      return failure === undefined;
    },
    skip(name, why) {
      count.skipped += 1;
      console.log(`- ${name}: ${why}`);
    },
    add({ failed, passed, skipped }) {
      count.passed += passed;
      count.failed += failed;
      count.skipped += skipped;
    },
  };
}
