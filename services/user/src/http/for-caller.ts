import type { Call, Caller } from '@portal/service-kit';
import type { CallDependencies, Dependencies } from '../dependencies.ts';

/** What use cases are given for a call: who calls waits for their own passwords alone. */
export function forCaller(
  deps: Dependencies,
  { address, caller }: Pick<Call, 'address'> & { readonly caller: Caller },
): CallDependencies {
  const account = caller.kind === 'admin' ? `admin ${caller.adminId}` : `account ${caller.accountId}`;
  return { ...deps, passwords: deps.passwordQueue.of({ account, address }) };
}
