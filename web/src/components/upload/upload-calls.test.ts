import type { ApiClient } from '@portal/api-client';
import { expect, it, vi } from 'vitest';
import { callsOf } from './upload-calls.ts';

it('An upload is completed, whether or not somebody asks what it became', async () => {
  const call = vi.fn(() => Promise.resolve({ approvalId: 8 }));
  const api = { call } as unknown as ApiClient;
  const { signal } = new AbortController();
  await callsOf(api, { uploadId: 'u', traceId: 't' }).complete([], signal);
  expect(call).toHaveBeenCalledOnce();
  const onCompleted = vi.fn();
  await callsOf(api, { uploadId: 'u', traceId: 't', onCompleted }).complete([], signal);
  expect(onCompleted).toHaveBeenCalledExactlyOnceWith({ approvalId: 8 });
});
