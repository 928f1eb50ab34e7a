import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface SkippedTest {
  readonly file: string;
  /** What `context.skip(condition, note)` has said; absent where nothing was said. */
  readonly note?: string | undefined;
}

/** Writes which tests were skipped, and why, to the file that SKIPPED_TESTS names: the JSON report has no place for it. */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env['SKIPPED_TESTS'];
    if (file === undefined) return;
    const skipped: SkippedTest[] = [];
    for (const { children, moduleId } of modules) {
      for (const test of children.allTests('skipped')) {
        const result = test.result();
        skipped.push({ file: moduleId, note: result.state === 'skipped' ? result.note : undefined });
      }
    }
    writeFileSync(file, JSON.stringify(skipped));
  }
}
