import { useMemo } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ContractForm, SubmitFailure } from '../lib/contract-form.ts';

/** Words of `auth` by the code of a refusal. */
export type LoginWords = Readonly<
  Record<string, 'identityFailed' | 'noPortal' | 'unknownCompany' | 'unknownIdentity' | 'wrongLogin'>
>;

export const loginWords = {
  E40101: 'wrongLogin',
  // What is forbidden here is the portal itself: these people use the player alone.
  E40301: 'noPortal',
  E40402: 'unknownCompany',
} as const satisfies LoginWords;

/** A login's form, which tells why nobody came in with words for people: the server's are those of its API. */
export function useToldLogin<V extends FieldValues>(form: ContractForm<V>): ContractForm<V> {
  return { ...form, failure: useToldFailure(form.failure, loginWords) };
}

/** The same of a failure alone; what has none of `words` keeps the server's. */
export function useToldFailure(
  failure: SubmitFailure | undefined,
  words: LoginWords,
): SubmitFailure | undefined {
  const { t } = useTranslation('auth');
  return useMemo(() => {
    const word = failure && words[failure.code];
    return word ? { ...failure, message: t(word) } : failure;
  }, [failure, t, words]);
}
