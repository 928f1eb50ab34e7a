import { describe, expect, it } from 'vitest';
import { createFormat, formatFileSize } from './format.ts';
import { fromLocalInput, toLocalInput } from './local-time.ts';

describe('a file size', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KB'],
    [1536, '1 KB'],
    [1024 ** 2 - 1, '1,023 KB'],
    [2 * 1024 ** 3, '2 GB'],
    [1024 ** 8, '1 YB'],
    [5000 * 1024 ** 8, '5,000 YB'],
  ])('of %d bytes is %s', (bytes, text) => {
    expect(formatFileSize(bytes, 'en')).toBe(text);
  });
});

describe('other figures', () => {
  it('follow the language', () => {
    expect(createFormat('ja').number(12345)).toBe('12,345');
    expect(createFormat('en').percent(0.42)).toBe('42%');
    expect(createFormat('en').duration(3723)).toBe('1:02:03');
    expect(createFormat('en').duration(65)).toBe('1:05');
    expect(createFormat('ja').dateTime(null)).toBe('—');
    expect(createFormat('ja').dateTime('nonsense')).toBe('—');
    expect(createFormat('ja').date('2026-11-21T12:00:00Z')).toBe('2026/11/21');
  });
});

describe('a local time', () => {
  it('goes to the field and back', () => {
    const field = toLocalInput('2026-11-21T09:30:00Z');
    expect(field).toMatch(/^2026-11-2\dT\d\d:\d\d$/);
    expect(fromLocalInput(field)).toBe('2026-11-21T09:30:00Z');
    expect(toLocalInput(null)).toBe('');
    expect(fromLocalInput('')).toBe('');
    expect(fromLocalInput('nonsense')).toBe('');
  });

  it('stays in the field while its year is typed', () => {
    expect(toLocalInput(fromLocalInput('0002-03-04T05:06'))).toBe('0002-03-04T05:06');
    expect(toLocalInput(fromLocalInput('0202-03-04T05:06'))).toBe('0202-03-04T05:06');
  });
});
