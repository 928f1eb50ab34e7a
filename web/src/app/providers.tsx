import { ChakraProvider, type SystemContext } from '@chakra-ui/react';
import { type ApiError, createApiClient } from '@portal/api-client';
import { admits, identityRoutes } from '@portal/contracts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createUploads, UploadsContext } from '../components/upload/uploads.ts';
import { ApiContext } from '../lib/api.ts';
import { currentLanguage } from '../lib/i18n.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { VersionContext } from '../lib/reload-hold.ts';
import { createSessionStore, ownerOf } from '../lib/session/session-store.ts';
import { createTokenVault } from '../lib/session/token-vault.ts';
import { SessionContext } from '../lib/session/use-session.ts';
import { hasUnsavedWork, reloadUnasked } from '../lib/unsaved-work.ts';
import { createVersionCheck } from '../lib/version-check.ts';
import { AnnouncerProvider } from '../ui/feedback/announcer.tsx';
import { ErrorModalProvider } from '../ui/feedback/error-modal.tsx';
import { clearFlows } from '../ui/flow/flow-store.ts';
import { forgetChosen } from './palette/recent.ts';
import { SessionKeeper } from './session-keeper.tsx';

/** The login page tells it then. */
const isLicenceOver = ({ code }: ApiError) => code === 'E40302';

function createServices() {
  const session = createSessionStore(createTokenVault(), localStorage, Date.now, hasUnsavedWork);
  const version = createVersionCheck({ reload: reloadUnasked });
  const api = createApiClient({
    baseUrl: '',
    getToken: session.token,
    language: currentLanguage,
    beforeRequest: version.beforeRequest,
    onAnswer: version.onAnswer,
    onSilence: version.onSilence,
    async onUnauthorized(_, refused, contract) {
      // A call of somebody who was signed in here before is not made again for whoever is now.
      if (admits(contract, 'public') || refused === undefined || !session.hasGiven(refused)) return false;
      // An answer to a token that was replaced meanwhile says nothing about the session.
      if (!session.hasLapsed() && (await session.token()) === refused) session.lose('refused');
      return session.resumed();
    },
    // The token opens nothing any more; whoever signs in again is told the same until the contract goes on.
    onRefused: (error, { service }) => {
      // The contract of a document database ends by itself.
      if (isLicenceOver(error) && service !== 'document') session.end('unlicensed');
    },
  });

  let look: Promise<void> | undefined;
  /** An administrator's role or a company's contract may be another one by now; navigation and pages follow it. */
  async function lookAtRights(): Promise<void> {
    const before = session.current();
    if (!before || before.twoFactorSetup) return;
    const { contractRank, role } = await api.call(identityRoutes.validateToken, {});
    const after = session.current();
    if (!after || ownerOf(after) !== ownerOf(before)) return;
    if (after.kind === 'admin' && after.role !== role) session.changeRole(role);
    if (contractRank) session.changeContract({ contractRank });
  }
  const queries = createQueryClient(() => {
    // The refusal itself is told where the call was made.
    look ??= lookAtRights()
      .catch(() => undefined)
      .finally(() => {
        look = undefined;
      });
  });
  return { session, version, api, queries, uploads: createUploads() };
}

export function Providers({ system, children }: { system: SystemContext; children: ReactNode }) {
  const [{ session, version, api, queries, uploads }] = useState(createServices);

  useEffect(() => {
    const first = session.current();
    let owner = first && ownerOf(first);
    return session.subscribe(() => {
      const current = session.current();
      // Nothing of one person's session may be seen in the next one's.
      if (!current) queries.clear();
      if (session.ended() === 'loggedOut' || (current && ownerOf(current) !== owner)) {
        queries.clear();
        clearFlows();
        uploads.store()?.stop();
        forgetChosen();
      }
      if (current) owner = ownerOf(current);
    });
  }, [session, queries, uploads]);

  useEffect(() => () => uploads.store()?.stop(), [uploads]);

  const [isTold] = useState(() => (error: ApiError) => isLicenceOver(error) && !session.current());

  return (
    <ChakraProvider value={system}>
      <SessionContext value={session}>
        <VersionContext value={version}>
          <ApiContext value={api}>
            <QueryClientProvider client={queries}>
              <UploadsContext value={uploads}>
                <AnnouncerProvider>
                  <ErrorModalProvider isTold={isTold}>
                    <SessionKeeper />
                    {children}
                  </ErrorModalProvider>
                </AnnouncerProvider>
              </UploadsContext>
            </QueryClientProvider>
          </ApiContext>
        </VersionContext>
      </SessionContext>
    </ChakraProvider>
  );
}
