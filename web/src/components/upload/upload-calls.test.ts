import { createApiClient } from '@portal/api-client';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { server } from '../../../test/server.ts';
import { callsOf } from './upload-calls.ts';

it('An upload is completed, whether or not somebody asks what it became', async () => {
  const completed = vi.fn(() => HttpResponse.json({ approval_id: 8 }, { status: 202 }));
  server.use(http.post('*/v1/uploads/u/complete', completed));
  const api = createApiClient({
    baseUrl: 'http://portal.test',
    getToken: () => 'token',
    language: () => 'en',
  });
  const { signal } = new AbortController();
  await callsOf(api, { uploadId: 'u', traceId: 't' }).complete([], signal);
  expect(completed).toHaveBeenCalledOnce();
  const onCompleted = vi.fn();
  await callsOf(api, { uploadId: 'u', traceId: 't', onCompleted }).complete([], signal);
  expect(onCompleted).toHaveBeenCalledExactlyOnceWith({ approvalId: 8 });
});
