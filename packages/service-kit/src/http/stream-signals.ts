/** Emitted on a request whose handler reads the body as a stream: its front then sets no limit of time for the whole body. */
export const streamedBody = Symbol('streamedBody');

/** Emitted on the requests that are under way when their front closes: answers that stay open end. */
export const endOfFront = Symbol('endOfFront');
