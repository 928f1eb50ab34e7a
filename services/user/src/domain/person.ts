import type { EventData, userEvents } from '@portal/contracts';

interface Person {
  readonly id: number;
  readonly revision: number;
  readonly name: string;
  readonly email: string | null;
  readonly loginUserId: string | null;
  readonly role: number;
  readonly isUser: boolean;
  readonly active: boolean;
  readonly passwordHash: string | null;
  readonly setupMailWithheld: boolean;
}

/** What events tell of a person. */
export function personOf(
  { id, revision, name, email, loginUserId, role, isUser, active, passwordHash, setupMailWithheld }: Person,
  groupIds: readonly number[],
): EventData<typeof userEvents.userCreated> {
  return {
    userId: id,
    revision,
    name,
    email,
    loginUserId,
    role,
    isUser,
    groupIds: [...groupIds],
    hasPassword: passwordHash !== null,
    ...(!active && { active }),
    ...(setupMailWithheld && { setupMail: false }),
  };
}
