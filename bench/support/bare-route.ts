import Fastify from 'fastify';

// The raw engine of the update check: one Fastify route that answers the same bytes, in a process of its own.
const [port, body] = process.argv.slice(2);
const app = Fastify({ logger: false });
app.get('/', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(body);
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
console.log('listening');
