import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * The token of the link that was opened. It is taken out of the address at once, so that it is neither seen nor kept in a
 * history of addresses; a reload still has it.
 */
export function useResetToken(): string | undefined {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const opened = new URLSearchParams(search).get('reset_token') ?? undefined;
  useEffect(() => {
    if (opened !== undefined) void navigate(pathname, { replace: true, state: { resetToken: opened } });
  }, [navigate, opened, pathname]);
  return opened ?? tokenIn(state);
}

function tokenIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('resetToken' in state)) return undefined;
  return typeof state.resetToken === 'string' ? state.resetToken : undefined;
}
