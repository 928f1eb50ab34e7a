import { describe, expect, it } from 'vitest';
import { csvCell, csvDateTime } from './csv.ts';

describe('A cell of a CSV file', () => {
  it.each(['=1+1', '+81', '-1', '@cell'])('is never a formula: %s', (text) => {
    expect(csvCell(text)).toBe(`'${text}`);
  });
  it.each(['', 'Sales', 'a=b', "'quoted"])('is else as it is: %s', (text) => {
    expect(csvCell(text)).toBe(text);
  });
});

describe('A time in a CSV file', () => {
  const date = new Date('2026-11-21T15:04:05.678Z');
  it('is told in the zone', () => {
    expect(csvDateTime('Asia/Tokyo')(date)).toBe('2026-11-22 00:04:05');
    expect(csvDateTime('UTC')(date)).toBe('2026-11-21 15:04:05');
  });
});
