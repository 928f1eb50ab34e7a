import { ApiError } from '@portal/api-client';
import { useEffect, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

export interface Challenge {
  /** What the second step takes with the code; undefined during the first step. */
  readonly value: string | undefined;
  /** The last one ended before it was answered. */
  readonly isOver: boolean;
  /** Goes to the second step when this is what the failure of the first asks for; tells whether it does. */
  take(error: unknown): boolean;
  /** Goes back to the first step. */
  leave(why?: 'over'): void;
}

/** Where a sign-in stands between its two steps. The form of the first keeps what was typed, but for the password. */
export function useChallenge<V extends FieldValues>(form: UseFormReturn<V>, password: Path<V>): Challenge {
  const [state, setState] = useState<{ value?: string; left?: 'back' | 'over' }>({});
  const { left, value } = state;
  useEffect(() => {
    if (left) form.setFocus(password);
  }, [left, form, password]);
  return {
    value,
    isOver: left === 'over',
    take(error) {
      if (!(error instanceof ApiError) || error.challenge === undefined) return false;
      setState({ value: error.challenge });
      return true;
    },
    leave(why) {
      form.resetField(password);
      setState({ left: why ?? 'back' });
    },
  };
}
