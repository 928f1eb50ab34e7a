import { scimRoutes } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { attributeName, attributesOf, type Given, isGiven } from './attributes.ts';
import { readFilter } from './filter.ts';
import { invalidPath, operationsIn } from './operations.ts';
import { externalIdValue, memberValues, nameValue } from './values.ts';

export interface GroupValues {
  readonly name: string;
  readonly externalId: string | null;
  readonly memberIds: number[];
}

/** A group as a whole. */
export function readGroup(given: Given): GroupValues {
  const attributes = attributesOf(given);
  return {
    name: nameValue(attributes.get('displayname')),
    externalId: externalIdValue(attributes.get('externalid')),
    memberIds: memberValues(attributes.get('members')),
  };
}

export interface GroupChanges {
  readonly name?: string;
  readonly externalId?: string | null;
  readonly keepOnly?: number[];
  readonly add?: number[];
  readonly remove?: number[];
}

/** The changes of a PATCH, one after the other, of which the last of a member counts. */
export function readGroupPatch(body: Given): GroupChanges {
  let name: string | undefined;
  let externalId: string | null | undefined;
  let keepOnly: readonly number[] | undefined;
  let added = new Set<number>();
  let removed = new Set<number>();

  function replaceMembers(ids: readonly number[]): void {
    keepOnly = ids;
    added = new Set();
    removed = new Set();
  }
  function addMembers(ids: readonly number[]): void {
    for (const id of ids) {
      added.add(id);
      removed.delete(id);
    }
  }
  function removeMembers(ids: readonly number[]): void {
    for (const id of ids) {
      removed.add(id);
      added.delete(id);
    }
  }

  function set(op: 'add' | 'replace', attribute: string, value: unknown, how: 'path' | 'object'): void {
    switch (attribute) {
      case 'displayname':
        name = nameValue(value);
        return;
      case 'externalid':
        externalId = externalIdValue(value);
        return;
      case 'members':
        if (op === 'add') addMembers(memberValues(value));
        else replaceMembers(memberValues(value));
        return;
      default:
        // The id comes beside the name, and other schemas beside ours.
        if (how === 'object' || attribute.startsWith('urn:')) return;
        if (['id', 'meta', 'schemas'].includes(attribute))
          throw fieldError('E40002', 'readOnly', 'invalidValue');
        throw invalidPath();
    }
  }

  function remove(path: string, value: unknown): void {
    const attribute = attributeName(path);
    if (attribute === 'externalid') externalId = null;
    else if (attribute === 'displayname') throw fieldError('E40002', 'readOnly', 'required');
    else if (attribute === 'members') {
      if (value === undefined || value === null) replaceMembers([]);
      else removeMembers(memberValues(value));
    } else if (attribute.startsWith('members[')) {
      const named = membersIn(path);
      if (named === 'all') replaceMembers([]);
      else removeMembers([...named]);
    } else set('replace', attribute, undefined, 'path');
  }

  for (const { op, path, value } of operationsIn(body)) {
    if (path === undefined) {
      if (op === 'remove') throw fieldError('E40002', 'target', 'required');
      if (!isGiven(value)) throw new AppError('E40001');
      for (const [attribute, one] of attributesOf(value)) set(op, attribute, one, 'object');
    } else if (op === 'remove') {
      remove(path, value);
    } else {
      set(op, attributeName(path), value, 'path');
    }
  }
  const most = scimRoutes.scimLimits.maxMembers;
  if (added.size > most || removed.size > most) throw fieldError('E40002', 'members', 'outOfRange');
  return {
    ...(name !== undefined && { name }),
    ...(externalId !== undefined && { externalId }),
    ...(keepOnly && { keepOnly: [...keepOnly] }),
    ...(added.size > 0 && { add: [...added] }),
    ...(removed.size > 0 && { remove: [...removed] }),
  };
}

type Members = ReadonlySet<number> | 'all';

/** Whom a path such as `members[value eq "5"]` names (RFC 7644, 3.5.2.2). */
function membersIn(path: string): Members {
  const steps = (() => {
    try {
      return readFilter(path, 'group');
    } catch {
      throw invalidPath();
    }
  })();
  const found: Members[] = [];
  for (const step of steps) {
    if (step.test === 'member') found.push(new Set([step.userId]));
    else if (step.test === 'always') found.push(step.value ? 'all' : new Set());
    else if (step.test === 'and' || step.test === 'or') {
      const [one = 'all', other = 'all'] = found.splice(-2);
      found.push(joined(one, other, step.test));
    } else throw invalidPath();
  }
  return found[0] ?? 'all';
}

function joined(one: Members, other: Members, join: 'and' | 'or'): Members {
  if (one === 'all') return join === 'and' ? other : 'all';
  if (other === 'all') return join === 'and' ? one : 'all';
  return join === 'and' ? new Set([...one].filter((id) => other.has(id))) : new Set([...one, ...other]);
}
