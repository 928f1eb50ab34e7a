/** Whose something is, and which tenant or unit may see it. */
export interface Owner {
  readonly accountKind: 'account' | 'admin';
  readonly accountId: number;
  /** Null for administrators. */
  readonly partnerId: number | null;
  /** Of an administrator of a unit; else null. */
  readonly unitId: number | null;
}

type Person =
  | { readonly kind: 'admin'; readonly adminId: number; readonly unitId: number | null }
  | { readonly kind: 'tenant'; readonly accountId: number; readonly partnerId: number };

/** What belongs to a person who calls. */
export function ownerOf(person: Person): Owner {
  return person.kind === 'admin'
    ? { accountKind: 'admin', accountId: person.adminId, partnerId: null, unitId: person.unitId }
    : { accountKind: 'account', accountId: person.accountId, partnerId: person.partnerId, unitId: null };
}
