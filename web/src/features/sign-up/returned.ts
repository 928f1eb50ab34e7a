import { clearIdentityReturn, type IdentityReturn, identityReturn } from '../../lib/identity-return.ts';

/** What a provider sent the browser back with: in memory alone, from the form to the completion. */
let returned: IdentityReturn | undefined;

export function returnedFrom(): IdentityReturn | undefined {
  returned = identityReturn() ?? returned;
  clearIdentityReturn();
  return returned;
}

export function forgetReturned(): void {
  returned = undefined;
}
