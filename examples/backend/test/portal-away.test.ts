import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, SignJWT } from 'jose';
import { expect, test, vi } from 'vitest';
import { createBackend } from '../backend.ts';
import { openDocuments } from '../documents.ts';
import { createUserVerifier } from '../verify-user.ts';

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('While the portal is away, or gives no keys, a user is not refused', async () => {
  const { privateKey } = await generateKeyPair('EdDSA');
  const statement = await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA', kid: 'key' }).sign(privateKey);
  const portal = createServer((_, response) => response.writeHead(503).end());
  const portalUrl = await listen(portal);
  const backend = createBackend({
    documents: openDocuments(portalUrl, 'd1', 'key'),
    verifyUser: createUserVerifier(portalUrl, '1000'),
  });
  const url = await listen(backend);
  const put = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${url}/scores/mine`, { method: 'PUT', headers, body: '{"score":1}' })).status;
  };
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    expect(await put(statement)).toBe(502);
    portal.closeAllConnections();
    portal.close();
    await once(portal, 'close');
    expect(await put(statement)).toBe(502);
    expect(await put('x')).toBe(401);
  } finally {
    said.mockRestore();
    backend.close();
    portal.close();
  }
});
