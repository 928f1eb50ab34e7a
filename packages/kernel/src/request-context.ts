import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tracer } from './tracer.ts';

/** What travels with the work that one request or one event causes, without being passed by hand. */
export interface RequestContext {
  readonly requestId: string;
  /** W3C trace context of the current work; calls and events pass it on. */
  readonly traceparent: string | undefined;
  /** Of the service that does the work; absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}
