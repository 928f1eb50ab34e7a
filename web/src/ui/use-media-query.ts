import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, such as `(min-width: 80rem)`. For what CSS alone cannot do: the same thing twice is read out twice. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
