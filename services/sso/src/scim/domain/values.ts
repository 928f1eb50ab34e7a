import { email, limits, loginUserId, requiredLine, scimRoutes, text } from '@portal/contracts';
import { provisioningLimits } from '@portal/contracts/internal';
import { fieldError } from '@portal/kernel';
import type { z } from 'zod';
import { attributesOf, isGiven } from './attributes.ts';
import { booleanIn, idIn } from './filter.ts';

/** The values of attributes, as the user service takes them. Each throws `E40002` or `E40003` on the attribute. */

export const invalidValue = (field: string): Error => fieldError('E40002', field, 'invalidValue');
const required = (field: string): Error => fieldError('E40003', field, 'required');

function checked<S extends z.ZodType>(schema: S, value: unknown, field: string): z.output<S> {
  if (value === undefined || value === null || value === '') throw required(field);
  const result = schema.safeParse(value);
  if (!result.success) throw invalidValue(field);
  return result.data;
}

/** An e-mail address or a login user id. */
export function loginValue(value: unknown): string {
  const isAddress = typeof value === 'string' && value.includes('@');
  return checked(isAddress ? email : loginUserId, value, 'userName');
}

const name = requiredLine(limits.nameMaxLength);
export const nameValue = (value: unknown, field = 'displayName'): string => checked(name, value, field);

const externalId = text(provisioningLimits.externalIdMaxLength);
export function externalIdValue(value: unknown): string | null {
  return value === undefined || value === null || value === ''
    ? null
    : checked(externalId, value, 'externalId');
}

export function activeValue(value: unknown): boolean {
  const active = booleanIn(value);
  if (active === undefined)
    throw value === undefined || value === null ? required('active') : invalidValue('active');
  return active;
}

/** The ids of the users that are named as members: by objects with a value, or by the values alone. */
export function memberValues(value: unknown): number[] {
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : [value];
  if (list.length > scimRoutes.scimLimits.maxMembers) throw fieldError('E40002', 'members', 'outOfRange');
  return list.map((one) => {
    const member = isGiven(one) ? attributesOf(one) : undefined;
    const type = member?.get('type');
    const id = idIn(member ? member.get('value') : one);
    const isUser =
      type === undefined || type === null || (typeof type === 'string' && type.toLowerCase() === 'user');
    if (id === undefined || !isUser) throw invalidValue('members');
    return id;
  });
}
