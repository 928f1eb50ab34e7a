export { AppError, fieldError, isUnavailable } from './app-error.ts';
export { type Clock, manualClock, systemClock } from './clock.ts';
export { changeCount } from './counts.ts';
export { newId } from './ids.ts';
export { createLogger, type Logger } from './logger.ts';
export { currentContext, type RequestContext, runInContext } from './request-context.ts';
export { slices } from './slices.ts';
export { errorTypeOf, inSpan, startSpan } from './spans.ts';
export { isTraceparent, type Span, type SpanOptions, type Tracer } from './tracer.ts';
