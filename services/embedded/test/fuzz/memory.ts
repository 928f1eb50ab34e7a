/** The memory of a process after a garbage collection, in bytes. */
export interface Held {
  /** The JavaScript heap and buffers. */
  readonly used: number;
  readonly resident: number;
}

/** Has the process collect its garbage, through its inspector, and reads its memory. */
export async function memoryOf(inspectorPort: number): Promise<Held> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer')));
  });
  const call = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      const id = waiting.size;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  try {
    for (let round = 0; round < 3; round += 1) await call('HeapProfiler.collectGarbage');
    const expression = 'JSON.stringify({ ...process.memoryUsage(), pid: process.pid })';
    const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: string } };
    const { arrayBuffers, heapUsed, rss } = JSON.parse(result.value) as NodeJS.MemoryUsage;
    return { used: heapUsed + arrayBuffers, resident: rss };
  } finally {
    socket.close();
  }
}
