import { z } from 'zod';
import { snakeKey } from '../core/case.ts';
import { holdsFieldName, isVerbatim } from '../core/wire.ts';

export type JsonSchema = Record<string, unknown>;

/** The JSON schema of what a caller sends (`input`) or gets (`output`), with the names as they are on the wire. */
export function wireSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  return jsonSchema(schema, io, snakeKey);
}

/** The JSON schema with the names as they are in the code, which is how events carry them. */
export function eventSchema(schema: z.ZodType): JsonSchema {
  return jsonSchema(schema, 'output', asItIs);
}

const asItIs = (key: string): string => key;

function jsonSchema(
  schema: z.core.$ZodType,
  io: 'input' | 'output',
  rename: (key: string) => string,
): JsonSchema {
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node, zodSchema }) => {
      if (rename !== asItIs && isVerbatim(zodSchema)) {
        for (const key of Object.keys(node)) delete node[key];
        Object.assign(node, jsonSchema(zodSchema, io, asItIs));
        return;
      }
      if (holdsFieldName(zodSchema)) {
        if (node.enum) node.enum = node.enum.map((name) => rename(String(name)));
        if (node.default !== undefined) node.default = rename(String(node.default));
      }
      if (node.properties) {
        node.properties = Object.fromEntries(
          Object.entries(node.properties).map(([key, value]) => [rename(key), value]),
        );
      }
      if (node.required) node.required = node.required.map(rename);
      // Those of zod, which every whole number has: a caller who sends more is refused.
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (io === 'output' && node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      // Answers may gain fields.
      delete node.additionalProperties;
    },
  });
  return result;
}
