/** An event of a stream of server-sent events, as its lines tell. */
export interface StreamEvent {
  readonly id: string;
  readonly data: string;
}

/** A stream that sends more without the end of an event is none of ours. */
const longest = 1_000_000;

/** The events of a body; comments, which keep the connection open, call `onComment`. */
export async function* eventsIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onComment: () => void,
): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      if (rest.length > longest) return;
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
        else onComment();
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')] as const;
    }),
  );
  const data = fields.get('data');
  return data === undefined ? undefined : { id: fields.get('id') ?? '', data };
}
