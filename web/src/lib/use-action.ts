import type { ApiError } from '@portal/api-client';
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation of which one runs at a time: `mutate` does nothing from the press that started it until its callbacks have
 * resolved. `isPending` is too late for that, it is published after the browser may have handled the second press.
 */
export function useAction<TData, TVariables = void>(
  options: UseMutationOptions<TData, ApiError, TVariables>,
) {
  const mutation = useMutation(options);
  const isRunning = useRef(false);
  return {
    ...mutation,
    mutate(variables: TVariables): void {
      if (isRunning.current) return;
      isRunning.current = true;
      const release = () => {
        isRunning.current = false;
      };
      mutation.mutateAsync(variables).then(release, release);
    },
  };
}
