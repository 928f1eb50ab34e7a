import { setTimeout as sleep } from 'node:timers/promises';
import { camelNames } from './names.ts';

export const demoPassword = 'Passw0rd-demo';

export interface Reply {
  readonly status: number;
  /** In camelCase; an empty object when there is none. */
  readonly body: Record<string, unknown>;
}

/** Wherever the portal answers. */
interface Portal {
  readonly url: string;
}

/** A JSON call as any client makes it. */
export async function send(
  portal: Portal,
  method: string,
  path: string,
  options: {
    token?: string | undefined;
    body?: unknown;
    raw?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<Reply> {
  const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const reply = await fetch(portal.url + path, {
    method,
    headers: {
      'accept-language': 'en',
      'x-agent': 'product-test/1.0',
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...options.headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await reply.text();
  const json = reply.headers.get('content-type')?.includes('json') && text !== '';
  return {
    status: reply.status,
    body: json ? (camelNames(JSON.parse(text)) as Record<string, unknown>) : {},
  };
}

export async function signInAdmin(
  portal: Portal,
  email = 'admin@example.com',
  password = demoPassword,
): Promise<string> {
  const { body } = await send(portal, 'POST', '/v1/admin/login', {
    body: { email, password },
  });
  return tokenOf(body);
}

/** Signs in to the portal of a tenant, or with `device` as a player. */
export async function signIn(
  portal: Portal,
  partnerCode: string,
  user: string,
  device?: string,
  password = demoPassword,
): Promise<string> {
  const { body } = await send(portal, 'POST', '/v2/partner/login', {
    body: {
      partner_code: partnerCode,
      ...(user.includes('@') ? { email: user } : { login_user_id: user }),
      password,
      ...(device ? { platform: { uuid: device } } : {}),
    },
  });
  return tokenOf(body);
}

function tokenOf(body: Record<string, unknown>): string {
  if (typeof body.accessToken !== 'string') throw new Error(`No token: ${JSON.stringify(body)}`);
  return body.accessToken;
}

/** Sends the bytes of a new file and gives its id. */
export async function uploadFile(
  portal: Portal,
  token: string,
  file: { partnerId: number; name: string; fileName: string; content: Buffer },
  headers: Record<string, string> = {},
): Promise<number> {
  const created = await send(portal, 'POST', `/v2/partner/partners/${file.partnerId}/files`, {
    token,
    headers,
    body: { name: file.name, file_name: file.fileName, file_size: file.content.length },
  });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const put = await fetch(String(created.body.signedUrl), {
    method: 'PUT',
    headers,
    body: new Uint8Array(file.content),
  });
  if (!put.ok) throw new Error(`The upload was refused: ${put.status}`);
  const done = await send(portal, 'POST', `/v1/uploads/${String(created.body.uploadId)}/complete`, {
    token,
    headers,
    body: {},
  });
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  return Number(created.body.id);
}

/** Publishes an application for sale to one tenant, as an administrator may. Answers its id. */
export async function publishApplication(
  portal: Portal,
  token: string,
  {
    content = Buffer.from('application'),
    name,
    partnerId,
    saleType = 2,
  }: {
    name: string;
    partnerId: number;
    saleType?: 1 | 2;
    content?: Buffer;
  },
): Promise<number> {
  const created = await send(portal, 'POST', '/v1/admin/applications', {
    token,
    body: {
      name,
      sale_type: saleType,
      partner_ids: [partnerId],
      file_name: `${name}.uap`,
      file_size: content.length,
    },
  });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const put = await fetch(String(created.body.signedUrl), { method: 'PUT', body: new Uint8Array(content) });
  if (!put.ok) throw new Error(`The upload was refused: ${put.status}`);
  const path = `/v1/uploads/${String(created.body.uploadId)}/complete`;
  const done = await send(portal, 'POST', path, { token, body: {} });
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  return Number(created.body.id);
}

const userCsvHeader = 'name,email,login_user_id,password,json,group_ids,delete_flag';

/** Sends a CSV file of users and waits until it is imported or, with `preview`, checked. Answers its `batch_process_id`. */
export async function importUsers(
  portal: Portal,
  token: string,
  { lines, partnerId, preview = false }: { partnerId: number; lines: readonly string[]; preview?: boolean },
): Promise<number> {
  const path = `/v1/partner/partners/${partnerId}/users/csv`;
  const body = { file_name: 'users.csv', preview };
  const opened = await send(portal, 'POST', path, { token, body });
  if (opened.status !== 201) throw new Error(JSON.stringify(opened.body));
  const { batchProcessId, signedUrl, uploadId } = opened.body;
  await fetch(String(signedUrl), { method: 'PUT', body: [userCsvHeader, ...lines, ''].join('\r\n') });
  await send(portal, 'POST', `/v1/uploads/${String(uploadId)}/complete`, { token, body: {} });
  const id = Number(batchProcessId);
  await importSettled(portal, token, { partnerId, id });
  return id;
}

/** Waits until an import is no longer worked on. Throws for one that failed, or whose lines are wrong. */
export async function importSettled(
  portal: Portal,
  token: string,
  { id, partnerId }: { partnerId: number; id: number },
): Promise<void> {
  const path = `/v1/partner/partners/${partnerId}/users/csv/status?batch_process_id=${id}`;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const { body } = await send(portal, 'GET', path, { token });
    if (body['status'] !== 'processing') {
      if (body['status'] === 'failed' || body['errorCount'] !== 0) throw new Error(JSON.stringify(body));
      return;
    }
    await sleep(50);
  }
  throw new Error(`Import ${id} takes too long`);
}
