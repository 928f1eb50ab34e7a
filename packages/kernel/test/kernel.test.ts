import { describe, expect, test } from 'vitest';
import {
  AppError,
  createLogger,
  currentContext,
  fieldError,
  manualClock,
  newId,
  runInContext,
  slices,
  systemClock,
} from '../src/index.ts';

test('Ids are unique UUIDv7s in the order of their making', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids.slice(0, 100)) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

describe('When the log is given a secret', () => {
  test.each([
    [{ password: 'hunter2' }],
    [{ body: { currentPassword: 'hunter2' } }],
    [{ request: { headers: { authorization: 'Bearer hunter2' } } }],
    [{ reply: { access_token: 'hunter2' } }],
  ])('then %j is written without it', (fields) => {
    const lines: string[] = [];
    createLogger({ level: 'info' }, { write: (line) => void lines.push(line) }).info(fields, 'told');
    expect(lines.join()).toContain('told');
    expect(lines.join()).not.toContain('hunter2');
  });
});

test('The context of a request follows the work that it causes', async () => {
  expect(currentContext()).toBeUndefined();
  await runInContext({ requestId: 'r1', traceparent: undefined }, async () => {
    await Promise.resolve();
    expect(currentContext()?.requestId).toBe('r1');
  });
});

test('Clocks can be shifted and moved', () => {
  expect(systemClock(86_400_000).now().getTime() - Date.now()).toBeGreaterThan(86_399_000);
  const clock = manualClock(new Date(0));
  clock.advance(1500);
  expect(clock.now()).toEqual(new Date(1500));
});

test('An error has a code, the status of the code and its field', () => {
  const error = fieldError('E40029', 'name', 'notUnique');
  expect(error).toBeInstanceOf(AppError);
  expect([error.code, error.status, error.fields]).toEqual([
    'E40029',
    400,
    [{ field: 'name', message: 'notUnique' }],
  ]);
});

test('A list in slices is the list, in order, with what is left at its end', () => {
  expect([...slices([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  expect([...slices([1, 2], 2)]).toEqual([[1, 2]]);
  expect([...slices([], 2)]).toEqual([]);
});
