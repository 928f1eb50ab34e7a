import { clientError } from '@portal/api-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { asApiError } from './api.ts';

afterEach(() => void vi.restoreAllMocks());

describe('what people are told', () => {
  it('of an outage and of an answer is what the call says', () => {
    const outage = clientError('NETWORK', 'ja');
    expect(asApiError(outage)).toBe(outage);
    expect(outage.message).toBe('サーバーでエラーが発生しました。');
  });

  it('of a mistake in the client is the fallback, and its own words go to the console', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const mistake = new TypeError('x is not a function');
    expect(asApiError(mistake)).toMatchObject({
      code: 'UNEXPECTED',
      message: '予期しないエラーが発生しました。',
    });
    expect(log).toHaveBeenCalledWith(mistake);
  });
});
