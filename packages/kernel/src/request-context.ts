import { AsyncLocalStorage } from 'node:async_hooks';

/** What travels with the work that one request or one event causes, without being passed by hand. */
export interface RequestContext {
  readonly requestId: string;
  /** W3C trace context; events carry it on to their consumers. */
  readonly traceparent: string | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}
