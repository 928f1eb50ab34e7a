import { ApiError } from '@portal/api-client';
import { limits } from '@portal/contracts';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Assigns at once; while the upload is still being completed (`E40019`) it tries again, `limits.assignmentAttempts` times
 * in all. `onWaiting` is told the number of the attempt that comes next.
 */
export async function assignWithRetry<R>(
  assign: () => Promise<R>,
  onWaiting: (attempt: number) => void,
): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await assign();
    } catch (error) {
      const uploading = error instanceof ApiError && error.code === 'E40019';
      if (!uploading || attempt >= limits.assignmentAttempts) throw error;
      onWaiting(attempt + 1);
      await wait(limits.assignmentRetryDelay);
    }
  }
}
