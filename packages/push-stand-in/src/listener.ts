import { once } from 'node:events';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';

/** A server that listens on this machine. */
export interface Listener {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly port: number;
  /** How many connections it has. */
  readonly connections: () => number;
  /** Breaks off its connections; new ones are welcome. */
  dropConnections(): void;
  /** Breaks off its connections, and listens no longer. */
  close(): Promise<void>;
}

/** Listens on the loopback interface alone. */
export async function createListener(server: Http2SecureServer, port: number): Promise<Listener> {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  const dropConnections = () => {
    for (const session of sessions) session.destroy();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `https://127.0.0.1:${listening}`,
    port: listening,
    connections: () => sockets.size,
    dropConnections,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      dropConnections();
      await closed;
    },
  };
}
