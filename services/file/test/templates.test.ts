import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileRoutes } from '@portal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../src/config.ts';
import { type FileHarness, startFileHarness } from './file-harness.ts';

describe('When the installation has no templates of its own', () => {
  let harness: FileHarness;
  beforeAll(async () => {
    harness = await startFileHarness();
  });
  afterAll(async () => harness.stop());

  it('then anybody gets the bundled ones', async () => {
    const template = async (name: 'application.json' | 'project.json') => {
      const { body, status } = await harness.call(fileRoutes.getTemplate, { params: { name } });
      return [status, body];
    };
    expect(await template('application.json')).toEqual([
      200,
      { title: 'My application', version: '1.0.0', icon: 'icon.png', entry: 'index.html' },
    ]);
    expect(await template('project.json')).toEqual([
      200,
      { title: 'My project', version: '1.0.0', icon: 'icon.png', contents: [] },
    ]);
  });

  it.each(['other.json', 'application', 'toString', '..%2fapplication.json'])(
    'then %s is no template',
    async (name) => {
      const { body, status } = await harness.raw({ method: 'GET', url: `/storage/templates/${name}` });
      expect([status, body.code]).toEqual([404, 'E40401']);
    },
  );
});

describe('When the installation has templates of its own', () => {
  let harness: FileHarness;
  let answer: { status: number; body: string };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(answer.status).end(answer.body);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    harness = await startFileHarness({ TEMPLATES_URL: `http://127.0.0.1:${port}/own/` });
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await harness.stop();
  });

  const read = async (name: 'application.json' | 'project.json') =>
    harness.raw({ method: 'GET', url: `/storage/templates/${name}` });

  it.each([
    ['an error', 500, '{}'],
    ['no JSON', 200, '<!doctype html>'],
    ['no object', 200, '[]'],
    ['more than a template has', 200, JSON.stringify({ title: 'x'.repeat(65_536) })],
  ])('then %s from there is told as a service that is away', async (_, status, body) => {
    answer = { status, body };
    harness.clock.advance(60_001);
    asked.length = 0;
    for (const reply of [await read('project.json'), await read('project.json')])
      expect([reply.status, reply.body.code]).toEqual([503, 'E50301']);
    // The second call does not wait for it.
    expect(asked).toEqual(['/own/project.json']);
  });

  it('then they are given with their own names, and for a minute without asking again', async () => {
    answer = { status: 200, body: '{"app_title":"A","minVersion":{"player_os":2}}' };
    asked.length = 0;
    const replies = [await text(), await text()];
    expect(replies).toEqual([answer.body, answer.body]);
    expect(asked).toEqual(['/own/application.json']);
    answer = { status: 200, body: '{"app_title":"B"}' };
    harness.clock.advance(60_001);
    expect(await text()).toBe(answer.body);
  });

  it('then the last answer is given while there is no other', async () => {
    answer = { status: 500, body: '' };
    harness.clock.advance(60_001);
    asked.length = 0;
    for (const reply of [await text(), await text()]) expect(reply).toBe('{"app_title":"B"}');
    expect(asked).toEqual(['/own/application.json']);
  });

  /** As it is on the wire. */
  async function text(): Promise<string> {
    const { body } = await harness.call(fileRoutes.getTemplate, { params: { name: 'application.json' } });
    return JSON.stringify(body);
  }
});

describe('The setting of the templates', () => {
  const read = (TEMPLATES_URL?: string) => config.safeParse({ TEMPLATES_URL });

  it('is an address', () => {
    expect(read().data?.templatesUrl).toBeUndefined();
    expect(read('https://example.com/templates/').data?.templatesUrl).toBe('https://example.com/templates');
    expect(read('ftp://example.com').success).toBe(false);
    expect(read('templates').success).toBe(false);
  });
});
