import { createApiClient } from '@portal/api-client';
import { identityRoutes } from '@portal/contracts';

/** Of every account of the demo. */
export const demoPassword = 'Passw0rd-demo';

/** What the product hashes passwords with. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Company admin and developer of the demo's first partner. */
export const companyAdmin = { partnerId: 1, partnerCode: '1000', user: 'partner@example.com' } as const;

/** A client of the demo that an administrator of the platform is signed in with. */
export async function signInAdministrator(url: string): Promise<ReturnType<typeof createApiClient>> {
  let token: string | undefined;
  const api = createApiClient({
    baseUrl: url,
    getToken: () => token,
    language: () => 'en',
    agent: 'bench/1.0.0',
  });
  const session = await api.call(identityRoutes.adminLogin, {
    body: { email: 'admin@example.com', password: demoPassword },
  });
  token = session.accessToken;
  return api;
}

/** A signed-in client of the demo: in the portal, or with `device` as a player. */
export async function signIn(
  url: string,
  options: { partnerCode: string; user: string; device?: string },
): Promise<{ api: ReturnType<typeof createApiClient>; token: string }> {
  let token: string | undefined;
  const api = createApiClient({
    baseUrl: url,
    getToken: () => token,
    language: () => 'en',
    agent: 'bench/1.0.0',
  });
  const session = await api.call(identityRoutes.partnerLogin, {
    body: {
      partnerCode: options.partnerCode,
      ...(options.user.includes('@') ? { email: options.user } : { loginUserId: options.user }),
      password: demoPassword,
      ...(options.device ? { platform: { uuid: options.device } } : {}),
    },
  });
  token = session.accessToken;
  return { api, token };
}
