import {
  email,
  hasAnyRole,
  jsonText,
  type LicenseType,
  limits,
  loginUserId,
  newPassword,
  type RouteRequest,
  requiredLine,
  userRole,
  userRoleBits,
  type userRoutes,
} from '@portal/contracts';
import { z } from 'zod';
import type { UserDetail } from '../../../components/users/user.ts';
import { changedFields } from '../../../lib/changed-fields.ts';
import type { UserValues } from './user-flows.ts';

export const emptyUser: UserValues = {
  name: '',
  loginIdType: 'email',
  email: '',
  loginUserId: '',
  password: '',
  role: 0,
  groupIds: [],
  isMaxDeviceCountLimited: false,
  maxDeviceCount: '',
  json: '',
  removedUuids: [],
};

export const userValuesOf = (user: UserDetail): UserValues => ({
  name: user.name,
  loginIdType: user.email === null ? 'loginUserId' : 'email',
  email: user.email ?? '',
  loginUserId: user.loginUserId ?? '',
  password: '',
  role: user.role,
  groupIds: user.groups.map(({ id }) => id),
  isMaxDeviceCountLimited: user.maxDeviceCountLimitedFlag,
  maxDeviceCount: user.maxDeviceCountLimitedFlag ? String(user.maxDeviceCount) : '',
  json: user.json ?? '',
  removedUuids: [],
});

const common = z.object({
  name: requiredLine(limits.nameMaxLength),
  role: userRole,
  groupIds: z.array(z.number()).max(limits.maxGroupsPerRequest).readonly(),
  isMaxDeviceCountLimited: z.boolean(),
  maxDeviceCount: z.string(),
  json: jsonText,
  removedUuids: z.array(z.string()).readonly(),
});

const requiredLoginUserId = z
  .string()
  .refine((value) => value !== '', { error: 'required' })
  .pipe(loginUserId);

/** What a user needs depends on how they sign in; a password is asked for where there is none yet. */
function userSchema(password: z.ZodType<string, string>): z.ZodType<UserValues, UserValues> {
  return z
    .discriminatedUnion('loginIdType', [
      common.extend({
        loginIdType: z.literal('email'),
        email,
        loginUserId: z.string(),
        password: z.string(),
      }),
      common.extend({
        loginIdType: z.literal('loginUserId'),
        email: z.string(),
        loginUserId: requiredLoginUserId,
        password,
      }),
    ])
    .superRefine(({ isMaxDeviceCountLimited, maxDeviceCount }, context) => {
      if (!isMaxDeviceCountLimited) return;
      const path = ['maxDeviceCount'];
      if (maxDeviceCount === '') context.addIssue({ code: 'custom', path, message: 'required' });
      else if (!/^\d+$/.test(maxDeviceCount) || Number(maxDeviceCount) > limits.maxDeviceCount) {
        context.addIssue({ code: 'custom', path, message: 'outOfRange' });
      }
    });
}

export const newUserSchema = userSchema(newPassword);
export const editedUserSchema = userSchema(z.union([z.literal(''), newPassword]));
/** Who edits users is an admin, and stays one. */
export const editedSelfSchema = editedUserSchema.refine(({ role }) => hasAnyRole(role, userRoleBits.admin), {
  path: ['role'],
  error: 'ownRole',
});

/**
 * What is sent of a new user. A password goes with a login user id alone and only when one was
 * typed, the device limit only where licences count users.
 */
export function userBody(
  values: UserValues,
  licenseType: LicenseType,
): RouteRequest<typeof userRoutes.createUser>['body'] {
  const { email, groupIds, isMaxDeviceCountLimited, json, loginUserId, name, password, role } = values;
  return {
    name,
    role,
    groupIds: [...groupIds].sort((a, b) => a - b),
    json,
    ...(values.loginIdType === 'email'
      ? { email }
      : { loginUserId, ...(password === '' ? {} : { password }) }),
    ...(licenseType === 'user' && {
      maxDeviceCountLimitedFlag: isMaxDeviceCountLimited,
      maxDeviceCount: isMaxDeviceCountLimited ? Number(values.maxDeviceCount) : 0,
    }),
  };
}

/**
 * What is sent of an edited one: what differs from `before`, with which the form was filled. The device limit is one choice of two
 * fields.
 */
export function editedUserBody(
  values: UserValues,
  before: UserValues | undefined,
  licenseType: LicenseType,
): RouteRequest<typeof userRoutes.updateUser>['body'] {
  const body = userBody(values, licenseType);
  const changed = changedFields(body, before && userBody(before, licenseType));
  const { maxDeviceCount, maxDeviceCountLimitedFlag } = body;
  return 'maxDeviceCount' in changed || 'maxDeviceCountLimitedFlag' in changed
    ? { ...changed, maxDeviceCount, maxDeviceCountLimitedFlag }
    : changed;
}
