import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allEvents } from '../src/catalogue.ts';

test('The page on events names those that are urgent', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/events.md'), 'utf8');
  const [, sentence = ''] =
    /so do not expect[^.]+\.[^.]*?((?:`[\w.]+`(?:,| and)?\s+)+)are\s+urgent/.exec(page) ?? [];
  const named = [...sentence.matchAll(/`([\w.]+)`/g)].map(([, type]) => type);
  expect(named.sort()).toEqual(
    allEvents
      .filter(({ urgent }) => urgent)
      .map(({ type }) => type)
      .sort(),
  );
});
