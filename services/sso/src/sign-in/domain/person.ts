import { email, limits, loginUserId, toOneLine } from '@portal/contracts';
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
  const named = nameAttributes.map((name) => nameIn(first(claims, name) ?? '')).find((name) => name !== '');
  return {
    identifier: identifier.data,
    name: named ?? nameIn(identifier.data),
    ...(groupAttribute !== null && {
      groupNames: [...new Set(claims.attributes[groupAttribute])].slice(0, mostGroups),
    }),
  };
}

function first({ attributes }: Claims, name: string): string | undefined {
  const [value] = attributes[name] ?? [];
  return value === undefined || value === '' ? undefined : value;
}

/** As much of a text as a name may hold. */
const nameIn = (text: string): string => [...toOneLine(text)].slice(0, limits.nameMaxLength).join('').trim();
