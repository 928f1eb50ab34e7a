import type { UserDetail } from '../../../components/users/user.ts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

export type Device = UserDetail['platforms'][number];

export type UserValues = {
  name: string;
  loginIdType: 'email' | 'loginUserId';
  email: string;
  loginUserId: string;
  password: string;
  /** The sum of the role bits. */
  role: number;
  groupIds: readonly number[];
  isMaxDeviceCountLimited: boolean;
  /** As typed. */
  maxDeviceCount: string;
  json: string;
  /** Devices that are to be taken away. */
  removedUuids: readonly string[];
};

export const userCreateFlow: FlowDefinition<UserValues> = {
  name: 'user-create',
  paths: {
    form: '/partner/users/create',
    confirm: '/partner/users/confirm',
    complete: '/partner/users/complete',
  },
  memoryOnly: ['password'],
};

export const userEditFlow: FlowDefinition<UserValues> = {
  name: 'user-edit',
  paths: {
    form: '/partner/users/edit/',
    confirm: '/partner/users/edit/confirm/',
    complete: '/partner/users/edit/complete/',
  },
  memoryOnly: ['password'],
};
