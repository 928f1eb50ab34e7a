import { AppError, fieldError } from '@portal/kernel';
import { attributeName, attributesOf, type Given, isGiven } from './attributes.ts';
import { operationsIn } from './operations.ts';
import { activeValue, externalIdValue, invalidValue, loginValue, nameValue } from './values.ts';

/** What a client says of a user. */
export interface UserValues {
  readonly login: string;
  readonly name: string;
  readonly externalId: string | null;
  /** Undefined where nothing is said. */
  readonly active: boolean | undefined;
}
type UserChanges = { -readonly [K in keyof UserValues]?: UserValues[K] };

/** A user as a whole. `displayName` goes before `name.formatted`, and that before the parts of the name. */
export function readUser(given: Given): UserValues {
  const attributes = attributesOf(given);
  const login = loginValue(attributes.get('username'));
  const active = attributes.get('active');
  return {
    login,
    name: nameOf(attributes) ?? nameValue(login),
    externalId: externalIdValue(attributes.get('externalid')),
    active: active === undefined || active === null ? undefined : activeValue(active),
  };
}

function nameOf(attributes: ReadonlyMap<string, unknown>): string | undefined {
  const displayName = attributes.get('displayname');
  if (displayName !== undefined && displayName !== null && displayName !== '') return nameValue(displayName);
  const name = attributes.get('name');
  if (name === undefined || name === null) return undefined;
  if (!isGiven(name)) throw invalidValue('name');
  const parts = attributesOf(name);
  const formatted = parts.get('formatted');
  if (formatted !== undefined && formatted !== null && formatted !== '')
    return nameValue(formatted, 'name.formatted');
  const joined = [parts.get('givenname'), parts.get('familyname')]
    .filter((part) => typeof part === 'string' && part.trim() !== '')
    .join(' ');
  return joined === '' ? undefined : nameValue(joined, 'name');
}

/** Attributes of the core schema that are not kept: providers send them beside those that are. */
const passedOver = new Set([
  'nickname',
  'profileurl',
  'title',
  'usertype',
  'preferredlanguage',
  'locale',
  'timezone',
  'password',
  'emails',
  'phonenumbers',
  'ims',
  'photos',
  'addresses',
  'groups',
  'entitlements',
  'roles',
  'x509certificates',
]);

/** The changes of a PATCH (RFC 7644, 3.5.2), one after the other. Of both names in one request `displayName` is taken. */
export function readUserPatch(body: Given): UserChanges {
  const changes: UserChanges = {};
  let formatted: string | undefined;

  function set(attribute: string, value: unknown, how: 'path' | 'object'): void {
    switch (attribute) {
      case 'username':
        changes.login = loginValue(value);
        return;
      case 'displayname':
        changes.name = nameValue(value);
        return;
      case 'name.formatted':
        formatted = nameValue(value, 'name.formatted');
        return;
      case 'name': {
        if (!isGiven(value)) throw invalidValue('name');
        const whole = attributesOf(value).get('formatted');
        if (whole !== undefined) formatted = nameValue(whole, 'name.formatted');
        return;
      }
      case 'externalid':
        changes.externalId = externalIdValue(value);
        return;
      case 'active':
        changes.active = activeValue(value);
        return;
      default:
        refuseOther(attribute, how);
    }
  }

  for (const { op, path, value } of operationsIn(body)) {
    if (path === undefined) {
      if (op === 'remove') throw fieldError('E40002', 'target', 'required');
      if (!isGiven(value)) throw new AppError('E40001');
      for (const [name, one] of attributesOf(value)) set(name, one, 'object');
    } else if (op === 'remove') {
      remove(changes, attributeName(path));
    } else {
      set(attributeName(path), value, 'path');
    }
  }
  return { ...(formatted !== undefined && { name: formatted }), ...changes };
}

/** What every user has cannot be taken away. */
function remove(changes: UserChanges, attribute: string): void {
  if (attribute === 'externalid') {
    changes.externalId = null;
    return;
  }
  if (['username', 'displayname', 'name', 'name.formatted', 'active'].includes(attribute)) {
    throw fieldError('E40002', 'readOnly', 'required');
  }
  refuseOther(attribute, 'path');
}

function refuseOther(attribute: string, how: 'path' | 'object'): void {
  // Providers send the whole resource as the value: of what is not theirs to change, nothing is.
  if (how === 'object') return;
  const [first = ''] = attribute.split(/[.[]/, 1);
  if (['id', 'meta', 'schemas'].includes(first)) throw fieldError('E40002', 'readOnly', 'invalidValue');
  const isKnown = passedOver.has(first) || first === 'name' || attribute.startsWith('urn:');
  if (!isKnown) throw fieldError('E40002', 'path', 'invalidValue');
}
