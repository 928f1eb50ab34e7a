import { describe, expect, it } from 'vitest';
import { render } from './render.ts';

const about = { language: 'ja', company: null, publicUrl: 'https://portal.example.com' } as const;
const halted = {
  template: 'rolloutHalted',
  to: 'operator@example.com',
  name: 'Suzuki',
  language: null,
  fileId: 7,
  fileName: 'Player',
  version: 2,
  reports: 10,
  failures: 6,
  byHand: false,
} as const;

describe('The mail of a halt', () => {
  it('is in both languages for an administrator, Japanese first, with the signatures at the end', () => {
    const { subject, text, html } = render({ ...halted, ofApplication: true }, about);
    expect(subject).toBe('[配信ポータル] 段階配信が停止しました / A rollout was halted');
    const address = 'https://portal.example.com/admin/applications/detail?id=7';
    const inOrder = ['アプリケーション: Player', address, 'Application: Player', address];
    for (const said of [text.split('-- \n')[0] ?? '', html]) {
      const places = inOrder.reduce<number[]>(
        (found, one) => [...found, said.indexOf(one, (found.at(-1) ?? -1) + 1)],
        [],
      );
      expect(places.every((place, index) => place > (places[index - 1] ?? -1))).toBe(true);
    }
    expect(text.split('-- \n')).toHaveLength(2);
    expect(text.split('-- \n')[1]).toMatch(/^配信ポータル\n[^]*\nHaishin Portal\n/);
  });

  it('is in the language of the company for its admins', () => {
    const { subject, text } = render(
      { ...halted, ofApplication: false },
      { ...about, language: 'en', company: 'Alpha' },
    );
    expect(subject).toBe('[Alpha] A rollout was halted');
    expect(text).not.toMatch(/[ぁ-ん]/);
  });
});
