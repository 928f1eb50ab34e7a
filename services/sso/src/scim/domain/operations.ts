import { scimRoutes } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { attributesOf, type Given, isGiven } from './attributes.ts';

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string | undefined;
  readonly value: unknown;
}

const { filterMaxLength, maxOperations } = scimRoutes.scimLimits;

/**
 * The operations of a PATCH; providers write their names and `op` in any case, of which the contract knows, and bounds, one alone.
 * Throws `E40001` for what is none.
 */
export function operationsIn(body: Given): Operation[] {
  const list = attributesOf(body).get('operations');
  if (!Array.isArray(list) || list.length === 0 || list.length > maxOperations) throw new AppError('E40001');
  return list.map((one: unknown) => {
    if (!isGiven(one)) throw new AppError('E40001');
    const parts = attributesOf(one);
    const op = parts.get('op');
    const known = (['add', 'replace', 'remove'] as const).find(
      (name) => typeof op === 'string' && op.toLowerCase() === name,
    );
    if (known === undefined) throw new AppError('E40001');
    return { op: known, path: pathIn(parts.get('path')), value: parts.get('value') };
  });
}

function pathIn(path: unknown): string | undefined {
  if (path === undefined || path === null || path === '') return undefined;
  if (typeof path !== 'string' || path.length > filterMaxLength) throw invalidPath();
  return path;
}

export const invalidPath = (): Error => fieldError('E40002', 'path', 'invalidValue');
