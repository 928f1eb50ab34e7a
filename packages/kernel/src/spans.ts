import { AppError } from './app-error.ts';
import { currentContext, runInContext } from './request-context.ts';
import type { Span, SpanOptions } from './tracer.ts';

/** A span under that of the current context, ended by hand; undefined where nothing is traced. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  const context = currentContext();
  return context?.tracer?.start(name, { ...options, parent: context.traceparent });
}

/** Runs `work` in a span under that of the current context; where nothing is traced it is just run. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const context = currentContext();
  const span = startSpan(name, options);
  if (!context || !span) return work();
  return runInContext({ ...context, traceparent: span.traceparent }, () => endedBy(span, work));
}

async function endedBy<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** Messages of errors may hold anything, their kinds do not. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
