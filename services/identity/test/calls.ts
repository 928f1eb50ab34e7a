import { identityRoutes, type RouteContract, type RouteRequest } from '@portal/contracts';
import type { ServiceHarness } from '@portal/testing';
import { expect } from 'vitest';
import { password } from './peers.ts';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const platform = { uuid: 'device-1', name: 'iPad' };

/** Tokens of people who sign in. */
export function signIns(harness: () => ServiceHarness) {
  return {
    async admin(email = 'admin@example.com', presented = password): Promise<string> {
      const { body, status } = await harness().call(identityRoutes.adminLogin, {
        body: { email, password: presented },
      });
      expect(status).toBe(200);
      return body.accessToken;
    },
    async portal(): Promise<string> {
      const { body, status } = await harness().call(identityRoutes.partnerLogin, {
        body: { partnerCode: '1000', email: 'partner@example.com', password },
      });
      expect(status).toBe(200);
      return body.accessToken;
    },
    async player(loginUserId = 'taro', partnerCode = '1000', device = platform): Promise<string> {
      const { body, status } = await harness().call(identityRoutes.partnerLogin, {
        body: { partnerCode, loginUserId, password, platform: device },
      });
      expect(status).toBe(200);
      return body.accessToken;
    },
    /** The code that a call with this token is refused with, or its status when it is not. */
    async outcome<C extends RouteContract>(
      contract: C,
      token: string,
      request: Partial<RouteRequest<C>> = {},
    ): Promise<string | number> {
      const { body, status } = await harness().refused(contract, { ...request, headers: bearer(token) });
      return status < 400 ? status : body.code;
    },
  };
}

/** The session that a token belongs to. */
export function sessionOf(token: string): string {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  if (typeof payload !== 'object' || payload === null || !('sid' in payload)) throw new Error('No session');
  return String(payload.sid);
}
