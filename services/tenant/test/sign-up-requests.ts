import { type ServiceContext, systemScope } from '@portal/service-kit';
import type { TenantDb } from '../src/data/db.ts';
import type { SignedUpRank, SignUpRequest } from '../src/domain/sign-up.ts';
import { signUp } from '../src/use-cases/sign-up.ts';

let count = 0;

/** What a visitor enters; each time with another address. */
export function signUpRequest(given: Partial<SignUpRequest> = {}): SignUpRequest {
  count += 1;
  return {
    email: `visitor${count}@example.com`,
    firstName: 'Hanako',
    lastName: 'Yamada',
    companyName: 'New Company',
    tel: '03-1234-5678',
    outsourcingId: 0,
    inheritParentExpiry: false,
    appId: 0,
    ...given,
  };
}

/** Signs a company up, past the routes. */
export const signUpCompany = async (
  context: ServiceContext<TenantDb, unknown>,
  rank: SignedUpRank,
  given: Partial<SignUpRequest> = {},
) =>
  signUp(
    { ...context, signUpUnitId: undefined },
    { rank, request: signUpRequest(given), way: { kind: 'link' }, language: 'ja' },
    systemScope('test'),
  );
