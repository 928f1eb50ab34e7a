import {
  changeAccountPassword,
  checkAccountPassword,
  confirmSignUp,
  findAccount,
  findMailSending,
  findPartner,
  settleLogin,
  signUpWithIdentity,
  verifyLogin,
} from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import { type Implementation, implement } from '@portal/service-kit';

export const password = 'Passw0rd-demo';
const adminBit = 268_435_456;

const partner = {
  partnerId: 1,
  unitId: 1,
  name: 'Demo Corporation',
  partnerCode: '1000',
  contractRank: 'enterprise',
  licenseType: 'user',
  licenseCount: 100,
  licenseExpiredOn: '2028-11-21T09:00:00Z',
  userDeviceLimit: 0,
  uapFileLimit: 0,
  operationLogDownloadFlag: true,
  lang: 'ja',
  json: '{"a":1}',
} as const;

const partners = [
  partner,
  { ...partner, partnerId: 3, partnerCode: '3000', contractRank: 'entry', licenseExpiredOn: null },
  { ...partner, partnerId: 4, partnerCode: '4000', licenseExpiredOn: '2026-11-20T09:00:00Z' },
  // It has signed up, and nobody has followed the link yet.
  { ...partner, partnerId: 6, partnerCode: '6000', activated: false },
  // One day after this is one second after the tests begin.
  { ...partner, partnerId: 5, partnerCode: '5000', licenseExpiredOn: '2026-11-20T09:00:01Z' },
] as const;

const account = { name: 'Taro', email: null, loginUserId: 'taro', role: 0, isUser: true, groups: [] };
const accounts = [
  { ...account, id: 11, partnerId: 1, groups: [{ id: 3, name: 'Sales' }] },
  {
    ...account,
    id: 12,
    partnerId: 1,
    loginUserId: null,
    name: 'Company admin',
    email: 'partner@example.com',
    role: adminBit,
    isUser: false,
  },
  { ...account, id: 13, partnerId: 1, loginUserId: 'dev', role: 16 },
  { ...account, id: 14, partnerId: 1, loginUserId: 'full' },
  { ...account, id: 15, partnerId: 1, loginUserId: null, email: 'hanako@example.com' },
  { ...account, id: 16, partnerId: 1, loginUserId: null, email: 'new@example.com' },
  ...Array.from({ length: 14 }, (_, n) => ({
    ...account,
    id: 70 + n,
    partnerId: 1,
    loginUserId: null,
    name: 'New',
  })),
  { ...account, id: 31, partnerId: 3 },
  { ...account, id: 41, partnerId: 4 },
  { ...account, id: 51, partnerId: 5 },
  {
    ...account,
    id: 61,
    partnerId: 6,
    loginUserId: null,
    email: 'visitor@example.com',
    role: adminBit,
    isUser: false,
  },
  { ...account, id: 62, partnerId: 6 },
  ...[65, 67, 68].map((id) => ({
    ...account,
    id,
    partnerId: 6,
    loginUserId: null,
    name: 'Hanako-1234',
    role: adminBit,
    isUser: false,
  })),
];

const byLogin = (login: {
  partnerId: number;
  email?: string | undefined;
  loginUserId?: string | undefined;
}) =>
  accounts.find(
    ({ email, loginUserId, partnerId }) =>
      partnerId === login.partnerId &&
      (login.email === undefined ? loginUserId === login.loginUserId : email === login.email.toLowerCase()),
  );

/** The tenant and the user service, as far as this service asks them. `onVerified` runs after a login was found right. */
export function peers(
  hooks: {
    onVerified?: (accountId: number) => Promise<void>;
    /** The registration number of each device that signs in. */
    registration?: () => number;
    /** Which password and role of an account is in force. */
    generation?: () => number;
    /** Which of them the password is. */
    passwordGeneration?: () => number;
    /** Called for every changed password; what it throws is the user service's answer. */
    onChanged?: (accountId: number, password: string) => Promise<void>;
    /** Wrong ones in a row, by account. */
    wrong?: Map<number, number>;
    /** Who has two factors: of them a right password takes no wrong ones back. */
    twoFactor?: (accountId: number) => Promise<boolean>;
    /** Called for every address that is proved; what it throws is the tenant service's answer. */
    onConfirmed?: (partnerId: number, email: string, ofSignedUpAdmin: boolean) => Promise<void>;
    /** What the tenant service does with a sign-up. */
    onSignUp?: (identity: string) => Promise<{ id: number; partnerCode: string }>;
    /** Whether mails are sent at all. */
    sendsMails?: () => boolean;
  } = {},
): Implementation[] {
  /** Wrong ones in a row, by account: the tenth locks it for good. */
  const wrong = hooks.wrong ?? new Map<number, number>();
  const isLocked = (id: number) => (wrong.get(id) ?? 0) >= 10;
  const countWrong = (id: number) => wrong.set(id, (wrong.get(id) ?? 0) + 1);
  return [
    implement(settleLogin, async ({ body }) => {
      const found = accounts.find(({ id }) => id === body.accountId);
      const generation = hooks.generation?.() ?? 0;
      if (!found || (body.generation ?? generation) !== generation) throw new AppError('E40004');
      if (!body.right) countWrong(found.id);
      if (!body.right || isLocked(found.id)) throw new AppError('E40101');
      wrong.delete(found.id);
      return { ...found, generation };
    }),
    implement(checkAccountPassword, async ({ body, params: { id } }) => {
      if (body.password !== password) countWrong(id);
      if (body.password !== password || isLocked(id)) {
        throw fieldError('E40002', 'password', 'wrongCurrentPassword');
      }
      wrong.delete(id);
      return {};
    }),
    implement(confirmSignUp, async ({ body }) => {
      await hooks.onConfirmed?.(body.partnerId, body.email, body.ofSignedUpAdmin ?? false);
      return {};
    }),
    implement(signUpWithIdentity, async ({ body }) => {
      if (!hooks.onSignUp) throw new AppError('E50301');
      return hooks.onSignUp(body.identity);
    }),
    implement(findMailSending, async () => ({ sends: hooks.sendsMails?.() ?? true })),
    implement(findPartner, async ({ body }) => {
      const found = partners.find((candidate) =>
        'partnerId' in body
          ? candidate.partnerId === body.partnerId
          : candidate.partnerCode === body.partnerCode,
      );
      if (!found) throw new AppError('E40402');
      return found;
    }),
    implement(verifyLogin, async ({ body }) => {
      const found = byLogin(body);
      if (found && body.password !== password) countWrong(found.id);
      if (!found || body.password !== password || isLocked(found.id)) throw new AppError('E40101');
      if (body.settles && !(await hooks.twoFactor?.(found.id))) wrong.delete(found.id);
      await hooks.onVerified?.(found.id);
      // Of a partner whose licence is over, no device may be asked for.
      if ((found.id === 14 || found.partnerId === 4) && body.platform) {
        throw new AppError(body.platform.uuid === 'licence' ? 'E40307' : 'E40306');
      }
      const known = { ...found, generation: hooks.generation?.() ?? 0 };
      return body.platform ? { ...known, registration: hooks.registration?.() ?? 1 } : known;
    }),
    implement(findAccount, async ({ body }) => {
      const found =
        'accountId' in body
          ? accounts.find(({ id, partnerId }) => id === body.accountId && partnerId === body.partnerId)
          : byLogin(body);
      if (!found) throw new AppError('E40403');
      return { ...found, hasPassword: found.id !== 16, generation: hooks.generation?.() ?? 0 };
    }),
    implement(changeAccountPassword, async ({ body, params }) => {
      if (body.currentPassword !== undefined && body.currentPassword !== password) {
        throw fieldError('E40002', 'currentPassword', 'wrongCurrentPassword');
      }
      if (body.password === password) throw fieldError('E40002', 'password', 'samePassword');
      if (body.generation !== undefined && body.generation < (hooks.passwordGeneration?.() ?? 0)) {
        throw new AppError('E40004');
      }
      await hooks.onChanged?.(params.id, body.password);
      if (!body.twoFactor) wrong.delete(params.id);
      const { role } = accounts.find(({ id }) => id === params.id) ?? account;
      return { role, generation: (hooks.generation?.() ?? 0) + 1 };
    }),
  ];
}
