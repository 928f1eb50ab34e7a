import { expect, test } from 'vitest';
import { pushIdOf } from './push-id.ts';

test('The id of a notification for a device is a UUIDv5 and the same each time', () => {
  const id = pushIdOf(7, 'a-device');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(pushIdOf(7, 'a-device')).toBe(id);
  expect(new Set([id, pushIdOf(8, 'a-device'), pushIdOf(7, 'another')]).size).toBe(3);
});

test('It stays what it was, whatever the device calls itself', () => {
  // As the first way of making them had it.
  expect(pushIdOf(7, 'a-device')).toBe('49474ec3-19e8-5b99-b836-55c80b882cc4');
  expect(pushIdOf(2_000_000_000, '端末 é')).toBe('89f45ab5-0a2d-596c-8ffa-909a40dc9ad1');
});
