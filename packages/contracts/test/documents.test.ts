import { validate as validateOpenApi } from '@apidevtools/swagger-parser';
import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allEvents, allRoutes } from '../src/catalogue.ts';
import { topics } from '../src/core/event.ts';
import { id, pageNumber, requiredText, timeZone } from '../src/core/fields.ts';
import type { RouteContract } from '../src/core/route.ts';
import { asyncApiDocument, eventsPage, openApiDocument } from '../src/documents/index.ts';
import * as wireRoutes from './wire-routes.ts';

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
      'push',
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

describe('The OpenAPI document of routes of every kind', () => {
  const document = openApiDocument(Object.values(wireRoutes));
  type Operation = {
    parameters: { name: string; in: string; required: boolean }[];
    requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
    responses: Record<
      string,
      { headers?: Record<string, unknown>; content?: Record<string, { schema: unknown }> }
    >;
    security: unknown[];
  };
  const operations = new Map(
    Object.values(document.paths as Record<string, Record<string, Operation & { operationId: string }>>)
      .flatMap((methods) => Object.entries(methods))
      .map(([method, operation]) => [operation.operationId, { method, ...operation }]),
  );
  const operation = ({ id }: { id: string }) => {
    const found = operations.get(id);
    if (!found) throw new Error(`No ${id}`);
    return found;
  };
  const typesOf = (content: object | undefined) => Object.keys(content ?? {});
  /** What any call may answer. */
  const anywhere = ['400', '408', '413', '429', '431', '500', '503'];

  test('is valid', async () => {
    await expect(validateOpenApi(JSON.parse(JSON.stringify(document)))).resolves.toBeDefined();
  });

  test('tells the names that are on the wire: ours renamed, those of others as they are', () => {
    const namesOf = (schema: unknown): unknown =>
      Object.entries(Object(Object(schema).properties)).map(([name, inner]) =>
        Object(inner).properties ? [name, namesOf(inner)] : name,
      );
    const body = operation(wireRoutes.wrapDocument).requestBody?.content['application/json'];
    expect(namesOf(body?.schema)).toEqual(['display_name', ['wrapped_document', ['_id', 'firstName']]]);
    const patch = operation(wireRoutes.patchPerson);
    expect(patch.method).toBe('patch');
    expect(namesOf(patch.requestBody?.content['application/scim+json']?.schema)).toEqual([
      'schemas',
      'Operations',
    ]);
    const form = operation(wireRoutes.postSaml).requestBody?.content['application/x-www-form-urlencoded'];
    expect(form?.schema).toMatchObject({
      required: ['SAMLResponse'],
      properties: { SAMLResponse: { type: 'string', minLength: 1 }, RelayState: { type: 'string' } },
    });
  });

  test('tells what bodies and answers are, by status', () => {
    const ofBytes = operation(wireRoutes.importLines).requestBody?.content;
    expect(ofBytes).toEqual({ 'application/x-ndjson': { schema: {} }, 'application/json': { schema: {} } });
    const { responses } = operation(wireRoutes.exportLines);
    expect(typesOf(responses[200]?.content)).toEqual([
      'application/x-ndjson',
      'application/json',
      'text/csv',
    ]);
    const restore = operation(wireRoutes.restore).responses;
    expect(restore[201]?.content?.['application/json']?.schema).toMatchObject({ required: ['new_version'] });
    expect(restore[202]?.content?.['application/json']?.schema).toMatchObject({ required: ['approval_id'] });
    expect(restore[204]?.content).toBeUndefined();
    const saml = operation(wireRoutes.postSaml).responses[302];
    expect([saml?.content, saml?.headers]).toMatchObject([undefined, { Location: { required: true } }]);
  });

  test('tells of versions, and of errors in a form of their own', () => {
    const get = operation(wireRoutes.getDocument);
    expect(get.parameters.map(({ name }) => name)).toEqual(['name', 'If-None-Match']);
    expect(typesOf(get.responses)).toEqual(['200', '304', '401', '403', '404', ...anywhere].sort());
    expect(get.responses[200]?.headers).toHaveProperty('ETag');
    const put = operation(wireRoutes.putDocument);
    expect(put.parameters.map(({ name }) => name)).toEqual(['name', 'If-Match']);
    expect(typesOf(put.responses)).toEqual(['200', '201', '401', '403', '404', '412', ...anywhere].sort());
    const patch = operation(wireRoutes.patchPerson).responses;
    for (const status of [400, 401, 412]) {
      expect(patch[status]?.content).toMatchObject({
        'application/scim+json': { schema: { required: ['schemas', 'status', 'detail'] } },
      });
    }
  });

  test('lists the error codes of each status', () => {
    const { components } = openApiDocument([wireRoutes.restore]) as {
      components: {
        responses: Record<string, { content: Record<string, { schema: { allOf: unknown[] } }> }>;
      };
    };
    const { responses } = operation(wireRoutes.restore);
    expect(responses[401]).toEqual({ $ref: '#/components/responses/E40101-E40102' });
    expect(components.responses['E40101-E40102']?.content['application/json']?.schema.allOf).toContainEqual({
      type: 'object',
      properties: { code: { enum: ['E40101', 'E40102'] } },
    });
    expect(components.responses['431-E40001']).toBeDefined();
  });

  test('says which query values are required, and that the others may be empty', () => {
    const query = z.object({ batchProcessId: id, text: requiredText(5), tz: timeZone, page: pageNumber });
    const { paths } = openApiDocument([{ ...wireRoutes.getDocument, query }]);
    const [path] = Object.values(paths as Record<string, { get: Operation }>);
    expect(path?.get.parameters.filter((parameter) => parameter.in === 'query')).toMatchObject([
      { name: 'batch_process_id', required: true, schema: { type: 'integer', minimum: 1 } },
      { name: 'text', required: true, schema: { minLength: 1, maxLength: 5 } },
      { name: 'tz', required: false, allowEmptyValue: true },
      { name: 'page', required: false, allowEmptyValue: true },
    ]);
  });

  test('tells each of the ways in which a caller may show who they are', () => {
    const both: RouteContract = {
      ...wireRoutes.getDocument,
      access: [{ kind: 'partner', roles: 1 }, { kind: 'admin', roles: 1 }, { kind: 'tenantKey' }],
    };
    const { paths } = openApiDocument([both]);
    const [path] = Object.values(paths as Record<string, { get: Operation }>);
    expect(path?.get.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
    expect(typesOf(path?.get.responses)).toContain('400');
  });
});
