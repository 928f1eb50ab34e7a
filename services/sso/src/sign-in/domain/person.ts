import { email, limits, loginUserId } from '@portal/contracts';
import type { Claims } from '../../saml/domain/claims.ts';
import { Refusal } from '../../saml/domain/refusal.ts';

/** Who comes, in the words of the user service. */
export interface Person {
  /** An e-mail address or a login user id. */
  readonly identifier: string;
  readonly name: string;
  /** Absent: their groups stay. */
  readonly groupNames?: readonly string[];
}

interface Naming {
  readonly usernameAttribute: string | null;
  readonly groupAttribute: string | null;
}

/** By which names providers tell what somebody is called, the best first. */
const nameAttributes = [
  'displayName',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'cn',
  'urn:oid:2.5.4.3',
];

const mostGroups = 10 * limits.maxGroupsPerRequest;

/** Whom the claims are about. Throws `Refusal` where that is neither an e-mail address nor a login user id. */
export function personOf(claims: Claims, { groupAttribute, usernameAttribute }: Naming): Person {
  const told = usernameAttribute === null ? claims.nameId : first(claims, usernameAttribute);
  const schema = told?.includes('@') ? email : loginUserId;
  const identifier = schema.safeParse(told);
  if (!identifier.success) throw new Refusal('identifier', told === undefined ? 'not told' : told);
  const named = nameAttributes.map((name) => first(claims, name)).find((name) => name !== undefined);
  return {
    identifier: identifier.data,
    name: oneLineOf(named ?? identifier.data),
    ...(groupAttribute !== null && {
      groupNames: [...new Set(claims.attributes[groupAttribute])].slice(0, mostGroups),
    }),
  };
}

function first({ attributes }: Claims, name: string): string | undefined {
  const [value] = attributes[name] ?? [];
  return value === undefined || value === '' ? undefined : value;
}

const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

const oneLineOf = (text: string): string =>
  [...text.replace(controls, ' ').trim()].slice(0, limits.nameMaxLength).join('');
