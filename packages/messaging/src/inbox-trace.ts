import { errorTypeOf, inSpan, runInContext, type Tracer } from '@portal/kernel';
import type { EventEnvelope } from './event.ts';

/** Runs `work` on one event in the trace of what caused it; on many, with a span in the trace of each. */
export async function traced<T>(
  tracer: Tracer | undefined,
  handler: string,
  events: readonly EventEnvelope[],
  work: () => Promise<T>,
): Promise<T> {
  const name = `process ${handler}`;
  const [event] = events;
  if (event && events.length === 1) {
    const { id, traceparent } = event;
    return runInContext({ requestId: id, traceparent, tracer }, () =>
      inSpan(name, { kind: 'consumer', attributes: attributesOf(event) }, work),
    );
  }
  const spans = events.flatMap((one) => {
    const { traceparent: parent } = one;
    if (!tracer || parent === undefined) return [];
    return [tracer.start(name, { kind: 'consumer', parent, attributes: attributesOf(one) })];
  });
  try {
    const result = await work();
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end(errorTypeOf(error));
    throw error;
  }
}

function attributesOf({ id, type }: EventEnvelope) {
  return { 'messaging.message.id': id, 'messaging.message.type': type };
}
