import type { SignUpPurpose } from '@portal/contracts';
import type { FlowDefinition } from '../../ui/flow/flow-store.ts';

/** What people sign up for by themselves. */
export type SignUpKind = 'free' | 'trial';

export type SignUpValues = {
  companyName: string;
  tel: string;
  lastName: string;
  firstName: string;
  email: string;
  /** Of a trial alone: who has a free account chooses one by the link of the mail. */
  password: string;
  confirmation: string;
  /** Empty until one is chosen. */
  purpose: SignUpPurpose | '';
  /** Empty: a free number. */
  partnerCode: string;
  agreedToTerms: boolean;
};

const flowAt = (name: string, form: string): FlowDefinition<SignUpValues> => ({
  name,
  paths: { form, confirm: `${form}/confirm`, complete: `${form}/complete` },
  memoryOnly: ['password', 'confirmation'],
});

export const signUpFlows: Readonly<Record<SignUpKind, FlowDefinition<SignUpValues>>> = {
  trial: flowAt('sign-up-trial', '/trial'),
  free: flowAt('sign-up-free', '/signup'),
};
