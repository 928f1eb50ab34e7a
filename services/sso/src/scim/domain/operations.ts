import { scimRoutes } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { attributesOf, type Given, isGiven } from './attributes.ts';

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string | undefined;
  readonly value: unknown;
}

const { maxOperations } = scimRoutes.scimLimits;

/** The operations of a PATCH; providers write their names and `op` in any case. Throws `E40001` for what is none. */
export function operationsIn(body: Given): Operation[] {
  const list = attributesOf(body).get('operations');
  if (!Array.isArray(list) || list.length === 0 || list.length > maxOperations) throw new AppError('E40001');
  return list.map((one: unknown) => {
    if (!isGiven(one)) throw new AppError('E40001');
    const parts = attributesOf(one);
    const [op, path] = [parts.get('op'), parts.get('path')];
    const known = (['add', 'replace', 'remove'] as const).find(
      (name) => typeof op === 'string' && op.toLowerCase() === name,
    );
    if (known === undefined) throw new AppError('E40001');
    if (path !== undefined && path !== null && typeof path !== 'string') throw invalidPath();
    return { op: known, path: path ? path : undefined, value: parts.get('value') };
  });
}

export const invalidPath = (): Error => fieldError('E40002', 'path', 'invalidValue');
