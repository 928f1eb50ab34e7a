import { snakeKey } from '@portal/contracts';
import type { Refusal, TestReply } from '@portal/testing';
import { expect } from 'vitest';

/** Expects the code with its status and, where one is named, the field at fault. */
export function expectRefusal({ body, status }: TestReply<Refusal>, code: string, field?: string): void {
  expect({ code: body.code, status }).toEqual({ code, status: Number(code.slice(1, 4)) });
  if (field !== undefined) expect(body.errors.map((error) => error.field)).toEqual([snakeKey(field)]);
}
