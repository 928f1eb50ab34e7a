import { type ApiClient, ApiError, createApiClient } from '@portal/api-client';
import {
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  identityRoutes,
  type PushServiceName,
  type RouteReply,
  type RouteRequest,
  ssoSignInRoutes,
  userRoutes,
} from '@portal/contracts';
import type { SsoCode } from './sso.ts';

export type DeliveredFile = RouteReply<typeof fileRoutes.listDelivered>['files'][number];
export type DownloadableFile = RouteReply<typeof fileRoutes.getDelivered>;

export type Receipt = RouteRequest<typeof deliveryRoutes.sendReceipt>['body'];

export interface Player {
  readonly userName: string;
  readonly partnerName: string;
  /** Everything that is delivered to the user at this moment, and the cursor to ask for updates with. */
  listFiles(): Promise<{ files: DeliveredFile[]; cursor: string }>;
  /** What has changed since `cursor`; go on with the new cursor while there is more than one page, and keep the last. */
  checkForUpdates(cursor: string): Promise<RouteReply<typeof fileRoutes.listDelivered>>;
  /** One file with a signed address of its bytes. */
  openFile(id: number): Promise<DownloadableFile>;
  /** Tells the portal what has become of a file on this device. */
  sendReceipt(id: number, receipt: Omit<Receipt, 'at'> & { readonly at: Date }): Promise<void>;
  /** Tells the portal under which token a push service reaches this device, from now on until it signs out. */
  registerPush(push: { service: PushServiceName; token: string }): Promise<void>;
  signOut(): Promise<void>;
}

/** `X-Agent`: name/version. */
export const playerAgent = 'example-player/1.0.0';

/** Whom a device is signed in as: with a password, or with what single sign-on has given. */
export type Credentials =
  | {
      readonly partnerCode: string;
      /** With an @ it is an e-mail address, otherwise a login user id. */
      readonly user: string;
      readonly password: string;
    }
  | SsoCode;

/** How many seconds before a token is over it is renewed. */
const renewedBefore = 300;
/** How many seconds, at most, until it is tried again. */
const retriedAfter = 60;

/** Signs a device in. Throws `ApiError` when the portal refuses. */
export async function connectPlayer(
  options: Credentials & {
    readonly url: string;
    readonly device: string;
    /** How the device describes itself; absent: as what it is. */
    readonly platform?: Partial<Omit<Platform, 'uuid'>>;
    /** What sends the calls; absent: that of Node. */
    readonly fetch?: typeof globalThis.fetch;
  },
): Promise<Player> {
  let token: string | undefined;
  const api = createApiClient({
    baseUrl: options.url,
    ...(options.fetch && { fetch: options.fetch }),
    getToken: () => token,
    language: () => 'en',
    agent: playerAgent,
  });
  const platform = {
    uuid: options.device,
    name: 'Command-line player',
    osType: process.platform,
    osVersion: process.version,
    playerVersion: '1.0.0',
    ...options.platform,
  };
  const session = await signIn(api, options, platform);
  token = session.accessToken;
  let isOver = false;
  let renewal = renewIn(session.expiresIn);

  /** A token that is over renews nothing, so this does not wait until the next call. */
  function renewIn(expiresIn: number): NodeJS.Timeout {
    const seconds = Math.max(expiresIn - renewedBefore, expiresIn / 2);
    return setTimeout(() => void renew(), seconds * 1_000).unref();
  }
  async function renew(): Promise<void> {
    let wait = retriedAfter;
    try {
      const renewed = await api.call(identityRoutes.refreshToken, {});
      token = renewed.accessToken;
      wait = renewed.expiresIn;
    } catch (error) {
      // The session has ended. Whatever else is wrong may be better by then.
      isOver ||= error instanceof ApiError && error.status === 401;
    }
    if (!isOver) renewal = renewIn(wait);
  }

  return {
    userName: session.user.name,
    partnerName: session.partner.name,
    async listFiles() {
      const files = new Map<number, DeliveredFile>();
      let since: string | undefined;
      for (;;) {
        // An answer of several pages has a cursor that leads to the rest, even if files change meanwhile.
        const reply = await api.call(fileRoutes.listDelivered, { query: { since, perPage: 100 } });
        for (const id of reply.removedIds) files.delete(id);
        for (const file of reply.files) files.set(file.id, file);
        if (reply.totalPage <= 1) return { files: [...files.values()], cursor: reply.cursor };
        since = reply.cursor;
      }
    },
    checkForUpdates: (cursor) =>
      api.call(fileRoutes.listDelivered, { query: { since: cursor, perPage: 100 } }),
    openFile: (id) => api.call(fileRoutes.getDelivered, { params: { id } }),
    async sendReceipt(id, { at, ...receipt }) {
      const body = { ...receipt, at: formatDateTime(at) };
      await api.call(deliveryRoutes.sendReceipt, { params: { id }, body });
    },
    async registerPush({ service: pushService, token: pushToken }) {
      const body = { pushToken, pushService };
      await api.call(userRoutes.updatePlatform, { params: { uuid: options.device }, body });
    },
    async signOut() {
      isOver = true;
      clearTimeout(renewal);
      await api.call(identityRoutes.userLogout, {});
    },
  };
}

type Platform = NonNullable<RouteRequest<typeof identityRoutes.partnerLogin>['body']['platform']>;

async function signIn(api: ApiClient, credentials: Credentials, platform: Platform) {
  if ('code' in credentials) {
    const { code, codeVerifier } = credentials;
    return api.call(ssoSignInRoutes.redeemSsoCode, { body: { code, codeVerifier, platform } });
  }
  const { partnerCode, password, user } = credentials;
  const login = user.includes('@') ? { email: user } : { loginUserId: user };
  return api.call(identityRoutes.partnerLogin, { body: { partnerCode, ...login, password, platform } });
}
