import { identityRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../lib/api.ts';
import { useSessionStore } from '../../lib/session/use-session.ts';
import { hasUnsavedWork } from '../../lib/unsaved-work.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { LeaveDialog } from '../../ui/feedback/leave-question.tsx';

/** Milliseconds that a logout waits for the server. */
const logoutPatience = 3000;

function useLogout(): () => void {
  const api = useApi();
  const store = useSessionStore();
  return () => {
    const session = store.current();
    if (!session) return;
    const contract = session.kind === 'admin' ? identityRoutes.adminLogout : identityRoutes.partnerLogout;
    // The session ends here whatever the server says, and soon: an unreachable server must not keep anybody signed in.
    const told = api.call(contract, {}).catch(() => undefined);
    const enough = new Promise((resolve) => setTimeout(resolve, logoutPatience));
    void Promise.race([told, enough]).then((reply) => {
      store.end('loggedOut');
      // Who came by single sign-on is signed out at the identity provider too.
      if (hasLogoutUrl(reply)) window.location.assign(reply.logoutUrl);
    });
  };
}

const hasLogoutUrl = (reply: unknown): reply is { readonly logoutUrl: string } =>
  typeof reply === 'object' && reply !== null && 'logoutUrl' in reply && typeof reply.logoutUrl === 'string';

/** Asks first if the page holds unsaved work. */
export function LogoutButton({
  onStay,
  ...props
}: Omit<ButtonProps, 'children' | 'onClick'> & { onStay?: () => void }) {
  const { t } = useTranslation('shell');
  const logout = useLogout();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button {...props} onClick={() => (hasUnsavedWork() ? setAsking(true) : logout())}>
        {t('logout')}
      </Button>
      <LeaveDialog
        open={asking}
        leaveLabel={t('discardAndLogout')}
        onLeave={() => {
          setAsking(false);
          logout();
        }}
        onStay={() => {
          setAsking(false);
          onStay?.();
        }}
      />
    </>
  );
}
