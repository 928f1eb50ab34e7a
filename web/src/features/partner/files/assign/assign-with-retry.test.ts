import { ApiError } from '@portal/api-client';
import { limits } from '@portal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assignWithRetry } from './assign-with-retry.ts';

const uploading = new ApiError({ code: 'E40019', status: 400, message: 'uploading' });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('assigning groups', () => {
  it('tries again while the upload is being completed, 1.5 s apart', async () => {
    const assign = vi
      .fn()
      .mockRejectedValueOnce(uploading)
      .mockRejectedValueOnce(uploading)
      .mockResolvedValue({});
    const waiting = vi.fn();
    const done = assignWithRetry(assign, waiting);
    await vi.advanceTimersByTimeAsync(limits.assignmentRetryDelay - 1);
    expect(assign).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1 + limits.assignmentRetryDelay);
    await done;
    expect(assign).toHaveBeenCalledTimes(3);
    expect(waiting.mock.calls).toEqual([[2], [3]]);
  });

  it('gives up after five attempts', async () => {
    const assign = vi.fn().mockRejectedValue(uploading);
    const done = expect(assignWithRetry(assign, () => undefined)).rejects.toBe(uploading);
    await vi.advanceTimersByTimeAsync(10 * limits.assignmentRetryDelay);
    await done;
    expect(assign).toHaveBeenCalledTimes(5);
  });

  it('does not repeat what is refused for another reason', async () => {
    const refused = new ApiError({ code: 'E40405', status: 404, message: 'gone' });
    const assign = vi.fn().mockRejectedValue(refused);
    await expect(assignWithRetry(assign, () => undefined)).rejects.toBe(refused);
    expect(assign).toHaveBeenCalledTimes(1);
  });
});
