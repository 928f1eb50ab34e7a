import { expect, it } from 'vitest';
import { findTimeZones, hintOf, timeZones } from './time-zones.ts';

it('finds a zone by its name, a part of it, and what people call it', () => {
  const zones = timeZones('ja');
  const names = (typed: string) => findTimeZones(zones, typed, 50).map(({ name }) => name);
  expect(names('asia/tokyo')).toEqual(['Asia/Tokyo']);
  expect(names('new york')).toContain('America/New_York');
  expect(names('日本')).toContain('Asia/Tokyo');
  expect(names('nowhere')).toEqual([]);
  expect(findTimeZones(zones, '', 50)).toHaveLength(50);
  const tokyo = zones.find(({ name }) => name === 'Asia/Tokyo');
  expect(tokyo && hintOf(tokyo, 'ja')).toMatch(/日本.*\+9/);
});
