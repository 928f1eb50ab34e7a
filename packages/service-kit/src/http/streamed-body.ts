/** Emitted on a request whose handler reads the body as a stream: its front then sets no limit of time for the whole body. */
export const streamedBody = Symbol('streamedBody');
