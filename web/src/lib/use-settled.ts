import { useEffect, useState } from 'react';

/** Milliseconds without a key before the server is asked. */
const patience = 200;

/** `value` once it has stayed the same for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patience);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
