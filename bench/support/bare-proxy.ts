import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';

// The raw engine of the update check by processes: @fastify/http-proxy before whatever answers at `upstream`.
const [port, upstream = ''] = process.argv.slice(2);
const app = Fastify({ logger: false });
await app.register(proxy, { upstream });
await app.listen({ host: '127.0.0.1', port: Number(port) });
console.log('listening');
