import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * Runs the test files whose paths end in one of `endings` before all others, in this order, so that no worker is left alone
 * with a long file at the end of the run.
 */
export function longestFirst(endings: readonly string[]): TestSequencerConstructor {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = endings.findIndex((ending) => moduleId.endsWith(ending));
    return place < 0 ? endings.length : place;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const others = await super.sort(files);
      return others.toSorted((a, b) => placeOf(a) - placeOf(b));
    }
  };
}
