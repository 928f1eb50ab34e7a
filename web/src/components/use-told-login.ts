import { useMemo } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ContractForm } from '../lib/contract-form.ts';

const words: Readonly<Record<string, 'wrongLogin' | 'noPortal' | 'unknownCompany'>> = {
  E40101: 'wrongLogin',
  // What is forbidden here is the portal itself: these people use the player alone.
  E40301: 'noPortal',
  E40402: 'unknownCompany',
};

/** A login's form, which tells why nobody came in with words for people: the server's are those of its API. */
export function useToldLogin<V extends FieldValues>(form: ContractForm<V>): ContractForm<V> {
  const { t } = useTranslation('auth');
  const { failure } = form;
  const told = useMemo(() => {
    const word = failure && words[failure.code];
    return word ? { ...failure, message: t(word) } : failure;
  }, [failure, t]);
  return { ...form, failure: told };
}
