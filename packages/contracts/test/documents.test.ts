import { validate as validateOpenApi } from '@apidevtools/swagger-parser';
import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { allEvents, allRoutes } from '../src/catalogue.ts';
import { topics } from '../src/core/event.ts';
import { asyncApiDocument, eventsPage, openApiDocument } from '../src/documents/index.ts';

describe('The AsyncAPI document', async () => {
  const { diagnostics, document } = await new Parser().parse(JSON.stringify(asyncApiDocument()));
  const messages = document?.allMessages().all() ?? [];

  test('is valid AsyncAPI 3, with nothing to warn of', () => {
    const remarks = diagnostics.map(({ code, message }) => `${code}: ${message}`);
    // 3.1 adds nothing that this document has, and fewer tools read it.
    expect(remarks.filter((remark) => !remark.startsWith('asyncapi-latest-version'))).toEqual([]);
  });

  test('has every topic, and every event on its topic', () => {
    const channels = document?.allChannels().all() ?? [];
    expect(channels.map((channel) => channel.address()).sort()).toEqual([...topics].sort());
    for (const channel of channels) {
      expect(
        channel
          .messages()
          .all()
          .map((message) => message.name())
          .sort(),
      ).toEqual(
        allEvents
          .filter(({ topic }) => topic === channel.address())
          .map(({ type }) => type)
          .sort(),
      );
      expect(channel.bindings().get('kafka')?.value()).toMatchObject({ topic: channel.address() });
    }
  });

  test('names a sender of each event, and receivers that exist', () => {
    const tags = (
      isWanted: (operation: { isSend(): boolean; isReceive(): boolean }) => boolean,
      type: string,
    ) =>
      (document?.allOperations().all() ?? [])
        .filter(isWanted)
        .filter((operation) =>
          operation
            .messages()
            .all()
            .some((message) => message.name() === type),
        )
        .flatMap((operation) =>
          operation
            .tags()
            .all()
            .map((tag) => tag.name()),
        );
    for (const { type } of allEvents) expect(tags((operation) => operation.isSend(), type)).not.toEqual([]);
    expect(tags((operation) => operation.isReceive(), 'user.updated')).toEqual([
      'batch',
      'file',
      'identity',
      'tenant',
    ]);
    expect(tags((operation) => operation.isReceive(), 'session.revoked')).toContain('gateway');
  });

  test.each(allEvents.map((event) => [event.type, event] as const))(
    'has a true example of %s',
    (type, event) => {
      const message = messages.find((candidate) => candidate.name() === type);
      const [example] = message?.examples().all() ?? [];
      const payload = Object(example?.payload());
      expect(event.data.parse(payload.data)).toEqual(payload.data);
      expect(payload.subject).toBe(String(payload.data[event.key]));

      const ajv = new Ajv({ allowUnionTypes: true, keywords: ['example', 'x-parser-schema-id'] });
      formats.default(ajv);
      const isValid = ajv.compile(Object(message?.payload()?.json()));
      expect(isValid(payload), ajv.errorsText(isValid.errors)).toBe(true);
      expect(isValid({ ...payload, type: 'something.else' })).toBe(false);
      expect(isValid({ ...payload, data: {} })).toBe(false);
      expect(isValid({ ...payload, more: 1, data: { ...payload.data, more: 1 } })).toBe(true);
      expect(message?.bindings().get('kafka')?.value().key).toMatchObject({ type: 'string' });
    },
  );
});

test('The page of events has every event, with links that lead somewhere', () => {
  const page = eventsPage();
  for (const { type, topic } of allEvents) {
    expect(page).toContain(`## ${topic}\n`);
    expect(page).toContain(`\n### ${type}\n`);
  }
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.replace(/[^\w-]/g, ''),
  );
  for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(anchor);
  expect(page).not.toMatch(/undefined|\[object/);
});

test('The OpenAPI document is valid', async () => {
  // It resolves references in place.
  await expect(
    validateOpenApi(JSON.parse(JSON.stringify(openApiDocument(allRoutes)))),
  ).resolves.toBeDefined();
});
