import {
  adminRoleBits,
  admits,
  formatDateTime,
  pathsOf,
  type RouteContract,
  scimRoutes,
  servicesWithDatabase,
  staysOpen,
  takesBearerKey,
} from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import {
  demoPassword,
  importUsers,
  publishApplication,
  send,
  signIn,
  signInAdmin,
  uploadFile,
} from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { base64, metadataXml } from '@portal/testing/saml-metadata';
import { serviceAccountKey } from '@portal/testing/service-account';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

/**
 * Ids of other tenants are refused on every route, for every kind of record and from each side; and the database alone, without the
 * code's checks, refuses.
 */

/** What is on one side, a tenant with the unit that it is of: what the other side tries. */
interface Side {
  readonly pid: number;
  readonly tokens: Readonly<Record<'portal' | 'player' | 'provisioning' | 'unitAdmin', string>>;
  readonly group: number;
  readonly user: number;
  readonly admin: number;
  readonly unit: number;
  /** Another administrator of the unit. */
  readonly unitAdmin: number;
  readonly file: number;
  /** An application that the unit offers to the tenant. */
  readonly application: number;
  readonly upload: string;
  /** A change of the file that waits for another admin. */
  readonly approval: number;
  readonly device: string;
  readonly userImport: number;
  readonly certification: number;
  readonly notification: number;
  readonly provisioningToken: number;
  /** The name of its document database, in which a collection and a document are called `walk`. */
  readonly db: string;
  /** Tests of its setting, by whose they are. */
  readonly ssoTests: Readonly<Record<'portal' | 'unitAdmin', string>>;
  /** Exports, by what of their path comes before `/csv`. */
  readonly exports: Readonly<Record<string, number>>;
  /** What names this side in lists: of its own things, and of its tenant. */
  readonly names: readonly string[];
}

let product: Product;
let one: Side;
let two: Side;
/** Exports of a platform administrator. */
let platformExports: Readonly<Record<string, number>>;

async function ask(token: string, method: string, path: string, body?: object) {
  const reply = await send(product, method, path, { token, ...(body && { body }) });
  if (reply.status >= 300)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const tenantExports = ['files', 'users', 'push_notifications', 'operation_logs'] as const;
const adminExports = ['partners', 'operation_logs'] as const;

/** Begins exports and waits until each is there. */
async function exportsOf(token: string, folder: string, nouns: readonly string[]) {
  const begun = await Promise.all(
    nouns.map(async (noun) => {
      const { id } = await ask(token, 'POST', `${folder}/${noun}/csv/batches`);
      return [`${folder}/${noun}`, Number(id)] as const;
    }),
  );
  for (const [path, id] of begun) {
    const reached = async () => (await ask(token, 'GET', `${path}/csv/batches/${id}`))['status'];
    await vi.waitFor(async () => expect(await reached()).toBe('complete'), {
      timeout: 30_000,
      interval: 200,
    });
  }
  return Object.fromEntries(begun);
}

/** Its device has installed a file; then numbers and lists tell of it. */
async function tellReceipt(player: string, file: number): Promise<void> {
  await vi.waitFor(async () => ask(player, 'GET', `/v1/user/files/${file}`), { timeout: 15_000 });
  const body = { version: 1, status: 'installed', at: formatDateTime(new Date()) };
  await ask(player, 'PUT', `/v1/user/files/${file}/receipt`, body);
}

/** From now on two admins change what people get: one of them asks for the end of a delivery. */
async function askForApproval(portal: string, at: string, file: number): Promise<number> {
  await ask(portal, 'PUT', `${at}/delivery_settings`, { versions_kept: 10, approval_required: true });
  const reply = await ask(portal, 'PUT', `${at}/files/${file}/groups`, { group_ids: [] });
  return Number(reply['approvalId']);
}

/** A second version of an application, in stages. */
async function replaceApplication(
  unitAdmin: string,
  id: number,
  { name, rollout }: { readonly name: string; readonly rollout: object },
): Promise<void> {
  const content = 'walked';
  const body = { file_name: `${name}.uap`, file_size: content.length, rollout };
  const { signedUrl, uploadId } = await ask(unitAdmin, 'PUT', `/v1/admin/applications/${id}`, body);
  await fetch(String(signedUrl), { method: 'PUT', body: content });
  await ask(unitAdmin, 'POST', `/v1/uploads/${String(uploadId)}/complete`, {});
}

async function makeSide(options: {
  pid: number;
  code: string;
  company: string;
  adminEmail: string;
  unitAdminEmail: string;
}): Promise<Side> {
  const { adminEmail, code, company, pid, unitAdminEmail } = options;
  const name = `walk-${pid}`;
  const portal = await signIn(product, code, adminEmail);
  const unitAdmin = await signInAdmin(product, unitAdminEmail);
  const at = `/v1/partner/partners/${pid}`;
  const idOf = async (path: string, body: object) =>
    Number((await ask(portal, 'POST', at + path, body))['id']);
  const group = await idOf('/groups', { name });
  const login = { login_user_id: name, password: demoPassword };
  const user = await idOf('/users', { name, ...login, group_ids: [group] });
  const admin = await idOf('/admins', { name, email: `${name}@example.com`, password: demoPassword });
  const file = await uploadFile(product, portal, {
    partnerId: pid,
    name,
    fileName: `${name}.uap`,
    content: Buffer.from(name),
  });
  await vi.waitFor(
    async () => expect((await ask(portal, 'GET', `${at}/files/${file}`))['uploadStatus']).toBe('complete'),
    { timeout: 15_000 },
  );
  const rollout = { stages: [{ percent: 100 }] };
  await ask(portal, 'PUT', `${at}/files/${file}/groups`, { group_ids: [group], rollout });
  await ask(portal, 'POST', `${at}/calendar/token`);
  const application = await publishApplication(product, unitAdmin, { name, partnerId: pid });
  await replaceApplication(unitAdmin, application, { name, rollout });
  const opened = { name: 'Open', file_name: `${name}-open.ufpz`, file_size: 5 };
  const { uploadId } = await ask(portal, 'POST', `${at}/files`, opened);
  const lines = [`${name}-new,${name}-new@example.com,,,,,0`];
  const userImport = await importUsers(product, portal, { partnerId: pid, lines, preview: true });
  // Its contract may be a new one, which is heard a moment later.
  const certification = await vi.waitFor(async () =>
    idOf('/push_notifications/certifications', { name, api_key: serviceAccountKey() }),
  );
  const push = { title: name, message: name, deliver_datetime: '2036-01-01T00:00:00Z' };
  const notification = await idOf('/push_notifications', push);
  const provisioning = await ask(portal, 'POST', `${at}/sso/tokens`, { name });
  await idOf('/sso', { metadata: base64(metadataXml()), group_attribute: name });
  const testOf = async (token: string, of: string) =>
    String((await ask(token, 'POST', `${of}/sso/test`, {}))['id']);
  const contract = { contract_status: 2, expire_date: '2036-01-01T00:00:00Z' };
  const database = await vi.waitFor(async () =>
    ask(unitAdmin, 'POST', `/api/v2/admin/databases/${pid}`, contract),
  );
  const collections = `/api/v2/${String(database['db'])}/collection`;
  await ask(portal, 'POST', collections, { name: 'walk' });
  await ask(portal, 'PUT', `${collections}/walk/documents/walk`, { name });
  await ask(portal, 'POST', `${collections}/walk/indexes`, { field: 'name' });
  const device = `device-${name}`;
  const player = await signIn(product, code, name, device);
  await tellReceipt(player, file);
  const unit = Number((await ask(unitAdmin, 'GET', `/v1/admin/partners/${pid}`))['unitId']);
  const upload = String(uploadId);
  const approval = await askForApproval(portal, at, file);
  const unitAdminBody = { name, email: `${name}-unit@example.com`, password: demoPassword };
  const ofUnit = await ask(unitAdmin, 'POST', `/v1/admin/outsourcing/units/${unit}/admins`, unitAdminBody);
  return {
    pid,
    tokens: {
      portal,
      unitAdmin,
      player,
      provisioning: String(provisioning['token']),
    },
    group,
    user,
    admin,
    unit,
    unitAdmin: Number(ofUnit['id']),
    file,
    application,
    upload,
    approval,
    device,
    userImport,
    certification,
    notification,
    provisioningToken: Number(provisioning['id']),
    db: String(database['db']),
    ssoTests: {
      portal: await testOf(portal, at),
      unitAdmin: await testOf(unitAdmin, `/v1/admin/partners/${pid}`),
    },
    exports: {
      ...(await exportsOf(portal, at, [...tenantExports, `files/${file}/delivery`])),
      ...(await exportsOf(unitAdmin, '/v1/admin', adminExports)),
    },
    names: [name, company, String(database['db'])],
  };
}

beforeAll(async () => {
  product = await startProduct();
  // Both tenants may download their operation logs.
  const batch = await connectAsService(product, 'batch');
  await vi.waitFor(
    async () => {
      const { rowCount } = await batch.query('UPDATE partners SET operation_log_download_flag = true');
      expect(rowCount).toBe(44);
    },
    { timeout: 15_000 },
  );
  await batch.end();
  const sso = await connectAsService(product, 'sso');
  await sso.query(
    `INSERT INTO sign_ins (partner_id, at, identifier) VALUES (1, now(), 'walk-1'), (2, now(), 'walk-2')`,
  );
  await sso.end();
  // Both have certificates of their own, by their contracts; the demo has one of the operator.
  const root = await signInAdmin(product);
  const contract = { contract_rank: 'enterprise', operation_log_download_flag: true };
  await ask(root, 'PUT', '/v1/admin/partners/2', contract);
  one = await makeSide({
    pid: 1,
    code: '1000',
    company: 'Demo Corporation',
    adminEmail: 'partner@example.com',
    unitAdminEmail: 'unit@example.com',
  });
  two = await makeSide({
    pid: 2,
    code: '2000',
    company: 'Second Company',
    adminEmail: 'second@example.com',
    unitAdminEmail: 'other-unit@example.com',
  });
  platformExports = await exportsOf(await signInAdmin(product), '/v1/admin', adminExports);
}, 120_000);
afterAll(() => product?.remove());

const patchOf = (...Operations: object[]) => ({ Operations });

/** Bodies that routes would accept from the side whose ids are in them. */
const bodies: Record<string, (side: Side) => object> = {
  createGroup: () => ({ name: 'Walk' }),
  updateGroup: () => ({ name: 'Walked' }),
  addGroupUsers: ({ user }) => ({ ids: [user] }),
  removeGroupUsers: ({ user }) => ({ ids: [user] }),
  createUser: () => ({ name: 'Walk', login_user_id: 'walk', password: 'Passw0rd-walk' }),
  updateUser: () => ({ name: 'Walked' }),
  deleteUsers: ({ user }) => ({ ids: [user] }),
  deleteGroups: ({ group }) => ({ ids: [group] }),
  changeUsersGroups: ({ group, user }) => ({ ids: [user], add: [group] }),
  sendSetupMails: ({ user }) => ({ ids: [user] }),
  countAudience: ({ group }) => ({ group_ids: [group] }),
  countPushAudience: ({ group }) => ({ group_id: group }),
  createCompanyAdmin: () => ({ name: 'Walk', email: 'walk@example.com' }),
  updateCompanyAdmin: () => ({ name: 'Walked' }),
  deleteCompanyAdmins: ({ admin }) => ({ ids: [admin] }),
  createPartnerAdmin: () => ({ name: 'Walk', email: 'walk@example.com' }),
  updatePartnerAdmin: () => ({ name: 'Walked' }),
  deletePartnerAdmins: ({ admin }) => ({ ids: [admin] }),
  createCertification: () => ({ name: 'Walk', api_key: serviceAccountKey() }),
  updateCertification: () => ({ name: 'Walked' }),
  createSso: () => ({ metadata: base64(metadataXml()) }),
  updateSso: () => ({ sso_only: true }),
  createProvisioningToken: () => ({ name: 'Walk' }),
  searchScim: () => ({}),
  searchScimUsers: () => ({}),
  searchScimGroups: () => ({}),
  createScimUser: () => ({ userName: 'walk' }),
  replaceScimUser: () => ({ userName: 'walk' }),
  patchScimUser: () => patchOf({ op: 'replace', path: 'displayName', value: 'Walked' }),
  createScimGroup: ({ user }) => ({ displayName: 'Walk', members: [{ value: String(user) }] }),
  replaceScimGroup: ({ user }) => ({ displayName: 'Walked', members: [{ value: String(user) }] }),
  patchScimGroup: ({ user }) => patchOf({ op: 'add', path: 'members', value: [{ value: String(user) }] }),
  createDatabase: () => ({ contract_status: 1, expire_date: '2036-01-01T00:00:00Z' }),
  updateDatabase: () => ({ contract_status: 1 }),
  createCollection: () => ({ name: 'walked' }),
  createDocument: () => ({ name: 'Walk' }),
  replaceDocument: () => ({ name: 'Walked' }),
  importDocuments: () => ({ name: 'Walk' }),
  createIndex: () => ({ field: 'walk' }),
  createPartnerSso: () => ({ metadata: base64(metadataXml()) }),
  updatePartnerSso: () => ({ sso_only: true }),
  createNotification: () => ({ message: 'Walk', deliver_datetime: '2036-01-01T00:00:00Z' }),
  updateNotification: () => ({ message: 'Walked' }),
  createUnitAdmin: () => ({ name: 'Walk', email: 'walk-unit@example.com', password: demoPassword }),
  updateUnitAdmin: () => ({ name: 'Walked' }),
  updatePartner: () => ({ name: 'Walked' }),
  createApplication: ({ pid }) => ({
    name: 'Walk',
    sale_type: 2,
    partner_ids: [pid],
    file_name: 'walk.uap',
    file_size: 5,
  }),
  updateApplication: () => ({ name: 'Walked' }),
  createFile: () => ({ name: 'Walk', file_name: 'walk.uap', file_size: 5 }),
  createSingleFile: () => ({ name: 'walk-single.uap', file_size: 5 }),
  updateFile: () => ({ name: 'Walked' }),
  reserveUpdate: () => ({
    update_reservation_at: '2036-01-01T00:00:00Z',
    file_name: 'open.uap',
    file_size: 5,
  }),
  assignGroups: () => ({ group_ids: [] }),
  sendReceipt: () => ({ version: 1, status: 'removed', at: formatDateTime(new Date()) }),
  restoreVersion: () => ({}),
  advanceRollout: () => ({ stage: 1 }),
  advanceApplicationRollout: () => ({ stage: 1 }),
  restoreApplicationVersion: () => ({}),
  previewChange: () => ({ what: 'deletion' }),
  approveChange: () => ({}),
  declineChange: () => ({ comment: 'Walk' }),
  updateDeliverySettings: () => ({ versions_kept: 3 }),
  createUserImport: () => ({ file_name: 'walk.csv' }),
  applyUserImport: ({ userImport }) => ({ batch_process_id: userImport }),
  cancelUserImport: ({ userImport }) => ({ batch_process_id: userImport }),
  signParts: () => ({ part_numbers: [1] }),
  completeUpload: () => ({ parts: [] }),
  updatePlatform: () => ({ name: 'Walked' }),
  saveAdminPreferences: () => ({}),
  updateSecuritySettings: () => ({ two_factor_required: false }),
  savePartnerPreferences: () => ({}),
  validatePassword: () => ({ password: 'Passw0rd-walk' }),
};

const queries: Record<string, (side: Side) => string> = {
  getUserImport: ({ userImport }) => `?batch_process_id=${userImport}`,
  listUserImportChanges: ({ userImport }) => `?batch_process_id=${userImport}`,
  exportUserImportErrors: ({ userImport }) => `?batch_process_id=${userImport}`,
  deleteDocuments: () => '?filter={}',
  deleteIndex: () => '?field=name',
  getCalendar: () => calendarPeriod(),
};

/** From yesterday on, for a year. */
function calendarPeriod(): string {
  const inDays = (days: number) =>
    `${new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 19)}Z`;
  return `?start=${inDays(-1)}&end=${inDays(365)}`;
}

/** The path with the ids of a tenant and its unit, and the other ids of `side`. */
function fill(path: string, { pid, unit }: Pick<Side, 'pid' | 'unit'>, side: Side): string {
  const ofRecord =
    /\/(applications|approvals|certifications|push_notifications|tokens|groups|users|files|units)\/:id/i.exec(
      path,
    )?.[1];
  const records: Record<string, number> = {
    applications: side.application,
    approvals: side.approval,
    certifications: side.certification,
    push_notifications: side.notification,
    tokens: side.provisioningToken,
    groups: side.group,
    users: side.user,
    files: side.file,
    units: unit,
  };
  const [exported = ''] = path
    .replace('/v2/', '/v1/')
    .replace(':pid', String(side.pid))
    .replace(':id', String(side.file))
    .split('/csv/batches');
  const filled = path
    .replace(':pid', String(pid))
    .replace(':db', side.db)
    .replace('/collection/:name', '/collection/walk')
    .replace('/documents/:id', '/documents/walk')
    .replace(':uploadId', side.upload)
    .replace(':version', '1')
    .replace(':uuid', side.device)
    .replace(':sessionId', sessionOf(path.includes('/admin/') ? side.tokens.unitAdmin : side.tokens.portal))
    .replace(':testId', path.includes('/admin/') ? side.ssoTests.unitAdmin : side.ssoTests.portal)
    .replace(':unitId', String(unit))
    .replace(':adminId', String(path.includes('/units/') ? side.unitAdmin : side.admin))
    .replace(':batchId', String(side.exports[exported]))
    .replace(':id', String(records[ofRecord?.toLowerCase() ?? '']))
    .replace(':name', path.includes('/Schemas/') ? scimRoutes.scimSchemas.user : 'User');
  if (/:[a-z]+(\/|$)|undefined/i.test(filled.replace(scimRoutes.scimSchemas.user, '')))
    throw new Error(`The walk has no id for ${path}: ${filled}`);
  return filled;
}

/** The session that a token is of. */
function sessionOf(token: string): string {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return String(Object(claims).sid);
}

const isOfAdmins = ({ access }: RouteContract) => access.every(({ kind }) => kind === 'admin');
/** What administrators read of a tenant is walked as the tenant calls it, and as its unit does. */
const isReadByUnits = (route: RouteContract) =>
  !isOfAdmins(route) && admits(route, 'admin') && /\/:(pid|db)\//.test(route.path);
const tokensOf = ({ tokens }: Side, route: RouteContract): readonly string[] => {
  if (isOfAdmins(route)) return [tokens.unitAdmin];
  if (takesBearerKey(route)) return [tokens.provisioning];
  const own = admits(route, 'player') ? tokens.player : tokens.portal;
  return isReadByUnits(route) ? [own, tokens.unitAdmin] : [own];
};

interface Attempt {
  readonly path: string;
  readonly body: object | undefined;
}

/** A route as it is called with the id of `pidOf` and all other ids of `idsOf`. */
function attempt(route: RouteContract, path: string, pidOf: Side, idsOf: Side): Attempt {
  const body = bodies[route.id];
  if (route.body && !body) throw new Error(`The walk has no body for ${route.id}`);
  return {
    path: fill(path, pidOf, idsOf) + (queries[route.id]?.(idsOf) ?? ''),
    body: route.body && body?.(idsOf),
  };
}

/** Every way in which `mine` can name what is `theirs`, by the call that it makes. */
function attempts(route: RouteContract, path: string, mine: Side, theirs: Side) {
  const made = (pidOf: Side, idsOf: Side) => attempt(route, path, pidOf, idsOf);
  const ways = [made(mine, theirs), made(theirs, mine), made(theirs, theirs)];
  const different = new Map(ways.map((way) => [JSON.stringify(way), way]));
  different.delete(JSON.stringify(made(mine, mine)));
  return [...different.values()];
}

/** What a signature is asked for by a query, and what states who calls. */
const isOfItsCaller = ['signRequest', 'userStatement'];

/** A member that a tenant does not have is a wrong value of its group: 404 would tell the client that the group is gone. */
const isUnknownMember = ({ id }: RouteContract, body: Record<string, unknown>): boolean =>
  id.endsWith('ScimGroup') &&
  body['scimType'] === 'invalidValue' &&
  String(body['detail']).includes('members');

/** Administrators of units are refused there, whatever they name. */
const isOfThePlatform = ({ access }: RouteContract) =>
  access.some(
    (one) =>
      one.kind === 'admin' && (one.platform === true || one.roles === adminRoleBits.superAdministration),
  );

test('The walk goes as a unit where administrators read what a tenant holds', () => {
  expect(
    allRoutes
      .filter(isReadByUnits)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([
    'exportDocuments',
    'getDocument',
    'getFile',
    'getGroup',
    'getSummary',
    'getUser',
    'listCollections',
    'listDocuments',
    'listFiles',
    'listGroups',
    'listIndexes',
    'listOperationLogs',
    'listUsers',
  ]);
});

const bound = allRoutes.filter(
  (route) =>
    !isOfThePlatform(route) &&
    !admits(route, 'internal') &&
    !admits(route, 'public') &&
    !admits(route, 'apiKey'),
);
const walked = bound.filter((route) => route.path.includes(':') || queries[route.id]);

async function snapshot({ db, file, pid, tokens, unit, upload, userImport }: Side): Promise<unknown> {
  const read = async (path: string) => ask(tokens.portal, 'GET', path);
  const at = `/v1/partner/partners/${pid}`;
  // Signed addresses are made anew for each answer.
  return JSON.parse(
    JSON.stringify([
      await read(`${at}/groups?per_page=100`),
      await read(`${at}/users?per_page=100`),
      await read(`${at}/admins?per_page=100`),
      await read(`${at}/push_notifications/certifications`),
      await read(`${at}/push_notifications`),
      await read(`${at}/sso`),
      await read(`${at}/sso/tokens`),
      await read(`${at}/files?per_page=100`),
      await read(`${at}/files/${file}/delivery`),
      await read(`${at}/delivery_settings`),
      await read(`${at}/approvals`),
      await read(`${at}/calendar${calendarPeriod()}`),
      await read(`${at}/calendar/token`),
      await read(`/v1/uploads/${upload}`),
      await read(`/api/v2/${db}/collection`),
      await read(`/api/v2/${db}/collection/walk/documents`),
      await read(`/api/v2/${db}/collection/walk/indexes`),
      await ask(tokens.unitAdmin, 'GET', `/v1/admin/outsourcing/units/${unit}/admins`),
      await ask(tokens.unitAdmin, 'GET', '/v1/admin/applications'),
      await ask(tokens.unitAdmin, 'GET', `/api/v2/admin/databases/${pid}`),
      await read(`${at}/users/csv/status?batch_process_id=${userImport}`),
      await read(`${at}/users/csv/changes?batch_process_id=${userImport}`),
    ])
      .replaceAll(/"\w*[sS]ignedUrl":"[^"]*"/g, '""')
      // Measured within a minute of what was written before.
      .replaceAll(/"(usageBytes|documentCount)":\d+/g, '"$1":0')
      // The walk goes on for more than the minute to which it is told.
      .replaceAll(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":""'),
  );
}

const sides = [
  ['a tenant and its unit', () => [one, two] as const],
  ['the tenant of another unit, and that unit', () => [two, one] as const],
] as const;

describe.each(sides)('When %s try ids of the other side', (_, sidesOf) => {
  test('then their own ids are real: what reads by them answers', async () => {
    const [mine] = sidesOf();
    const refused: string[] = [];
    for (const route of walked.filter(({ id, method }) => method === 'GET' && !id.startsWith('create'))) {
      const { path } = attempt(route, route.path, mine, mine);
      for (const token of tokensOf(mine, route)) {
        const { body, status } = await send(product, 'GET', path, { token });
        if (status !== 200) refused.push(`${path}: ${status} ${body['code']}`);
      }
    }
    expect(refused).toEqual([]);
  });

  test('then no route answers as if they existed, and nothing has changed', async () => {
    const [mine, theirs] = sidesOf();
    const before = [await snapshot(mine), await snapshot(theirs)];
    const answered: string[] = [];
    let tried = 0;
    for (const route of walked) {
      for (const path of pathsOf(route)) {
        for (const { body, path: filled } of attempts(route, path, mine, theirs)) {
          for (const token of tokensOf(mine, route)) {
            tried += 1;
            const reply = await send(product, route.method, filled, { token, body });
            const isRefused =
              isOfAdmins(route) &&
              [`/partners/${theirs.pid}`, `/databases/${theirs.pid}`].some((named) => filled.includes(named))
                ? reply.status === 403 && reply.body['code'] === 'E40305'
                : reply.status === 404 || isUnknownMember(route, reply.body);
            if (!isRefused) answered.push(`${route.method} ${filled}: ${reply.status} ${reply.body['code']}`);
          }
        }
      }
    }
    expect(answered).toEqual([]);
    expect(tried).toBeGreaterThan(walked.length * 2);
    expect([await snapshot(mine), await snapshot(theirs)]).toEqual(before);
  });

  test('then an id in a body does not exist either', async () => {
    const [mine, theirs] = sidesOf();
    const at = `/v1/partner/partners/${mine.pid}`;
    const attempt = async (method: string, path: string, body: object) => {
      const reply = await send(product, method, at + path, { token: mine.tokens.portal, body });
      return [reply.status, reply.body['code'], reply.body['errors']];
    };
    const unknownGroup = [404, 'E40404', [expect.objectContaining({ field: 'group_ids' })]];
    const groups = { group_ids: [mine.group, theirs.group] };
    expect(await attempt('PUT', `/files/${mine.file}/groups`, groups)).toEqual(unknownGroup);
    expect(await attempt('PUT', `/users/${mine.user}`, groups)).toEqual(unknownGroup);
    const newUser = { name: 'x', login_user_id: 'x1', password: 'Passw0rd-walk', ...groups };
    expect(await attempt('POST', '/users', newUser)).toEqual(unknownGroup);
    const push = { message: 'x', deliver_datetime: '2036-01-01T00:00:00Z' };
    for (const [code, field, named] of [
      ['E40404', 'group_id', { group_id: theirs.group }],
      ['E40403', 'user_ids', { user_ids: [mine.user, theirs.user] }],
      ['E40401', 'certification_id', { certification_id: theirs.certification }],
    ] as const) {
      const refused = [404, code, [expect.objectContaining({ field })]];
      expect(await attempt('POST', '/push_notifications', { ...push, ...named })).toEqual(refused);
      const own = `/push_notifications/${mine.notification}`;
      expect(await attempt('PUT', own, named)).toEqual(refused);
    }
    for (const [method, path] of [
      ['DELETE', '/users'],
      ['POST', `/groups/${mine.group}/users`],
      ['DELETE', `/groups/${mine.group}/users`],
    ] as const) {
      const reply = await attempt(method, path, { ids: [mine.user, theirs.user] });
      expect([path, ...reply.slice(0, 2)]).toEqual([path, 404, 'E40403']);
    }
    expect((await attempt('DELETE', '/admins', { ids: [mine.admin, theirs.admin] })).slice(0, 2)).toEqual([
      404,
      'E40401',
    ]);
    const noticesOf = async ({ tokens }: Side) => {
      const { notices } = await ask(tokens.portal, 'GET', '/v1/partner/notices');
      return (notices as { id: number }[]).map(({ id }) => id);
    };
    const [own] = await noticesOf(mine);
    const [foreign] = await noticesOf(theirs);
    const told = await send(product, 'PUT', '/v1/partner/notices/read', {
      token: mine.tokens.portal,
      body: { ids: [own, foreign] },
    });
    expect([told.status, told.body['code']]).toEqual([404, 'E40401']);
    const users = await ask(mine.tokens.portal, 'GET', `${at}/groups/${mine.group}`);
    expect(users).toMatchObject({ name: mine.names[0] });
  });

  test('then lists, and what is exported, hold their own alone', async () => {
    const [mine, theirs] = sidesOf();
    const silent: string[] = [];
    for (const route of bound) {
      const isAsked = !queries[route.id] || route.id === 'getCalendar';
      const isList = route.method === 'GET' && !/:(?!pid)/.test(route.path) && isAsked;
      if (!isList || route.id.startsWith('create') || isOfItsCaller.includes(route.id) || staysOpen(route))
        continue;
      const path = fill(route.path, mine, mine);
      for (const token of tokensOf(mine, route)) {
        const query = queries[route.id]?.(mine) ?? '?per_page=100';
        const reply = await fetch(product.url + path + query, {
          headers: { authorization: `Bearer ${token}`, 'x-agent': 'walk/1.0' },
        });
        const text = await reply.text();
        expect([path, reply.status]).toEqual([path, 200]);
        expect([path, theirs.names.filter((name) => text.includes(name))]).toEqual([path, []]);
        if (!mine.names.some((name) => text.includes(name))) silent.push(route.id);
      }
    }
    // These name nothing of anybody.
    expect(silent.sort()).toEqual([
      'getAdminPreferences',
      'getAdminTwoFactor',
      'getCalendarToken',
      'getDeliverySettings',
      'getFilesOverview',
      'getOverview',
      'getPartnerPreferences',
      'getPartnerTwoFactor',
      'getScimConfig',
      'getSecuritySettings',
      'getStorageUse',
      'listAdminNotices',
      'listAdminSessions',
      'listBounces',
      'listPartnerNotices',
      'listPartnerSessions',
      'listScimResourceTypes',
      'listScimSchemas',
      'refreshToken',
      'validateToken',
    ]);

    for (const [path, id] of Object.entries(mine.exports)) {
      const token = path.startsWith('/v1/admin') ? mine.tokens.unitAdmin : mine.tokens.portal;
      const { signedUrl } = await ask(token, 'GET', `${path}/csv/batches/${id}/url`);
      const text = await (await fetch(String(signedUrl))).text();
      expect([path, text.split('\n').length > 2]).toEqual([path, true]);
      const foreign = [...theirs.names, `${theirs.names[0]}@example.com`];
      expect([path, foreign.filter((name) => text.includes(name))]).toEqual([path, []]);
    }
  });

  test('then the exports of the platform are not theirs, nor are theirs the platform’s', async () => {
    const [mine] = sidesOf();
    const platform = await signInAdmin(product);
    for (const [path, id] of Object.entries(platformExports)) {
      for (const end of ['', '/url']) {
        const whole = (of: number | undefined) => `${path}/csv/batches/${of}${end}`;
        const status = async (token: string, of: number | undefined) =>
          (await send(product, 'GET', whole(of), { token })).status;
        expect([path, await status(platform, id), await status(mine.tokens.unitAdmin, id)]).toEqual([
          path,
          200,
          404,
        ]);
        expect([path, await status(platform, mine.exports[path])]).toEqual([path, 404]);
      }
    }
  });
});

/** Tables whose rows are of no tenant and no unit, by the reason; any other has rows that name theirs. */
const ofTheSystem = new Map([
  ['messaging.outbox', 'events that wait to be sent; an event names its tenant inside'],
  ['messaging.inbox', 'events that wait to be handled, which the service claims for all tenants'],
  ['messaging.idempotent_reply', 'answers to repeated calls, which the kit finds by caller or address'],
  ['messaging.unknown_login', 'tries at logins that nobody has'],
  ['messaging.installation', 'whether the database is of the demo'],
  ['signing_keys', 'keys of the tokens of everybody'],
  ['usage_batches', 'batches of the gateway, of many tenants each'],
  ['milestones', 'what was done once in the whole database'],
  ['identity_flows', 'sign-ins under way at an identity provider, of nobody yet'],
  ['retellings', 'what is told once more of the whole database'],
]);
/** Policies beside those that columns ask for: of what the operator publishes, and to whom; what a tenant adds to its unit's numbers. */
const besideColumns: Readonly<Record<string, readonly string[]>> = {
  'file.destinations': ['operator', 'reached'],
  'file.files': ['reached'],
  'file.partners': ['operator'],
  'file.rollouts': ['counted', 'reached'],
  'file.versions': ['reached'],
  'push.certifications': ['operator'],
  'tenant.unit_counts': ['partner'],
};
/** Rows of the operator that the tenant of the second side reads: the clock, the application that is for it, what pushes are sent with. */
const isPublished = (table: string, row: Owned) =>
  row.partner_id === 0 &&
  (table === 'partners' ||
    table === 'certifications' ||
    (['rollouts', 'versions'].includes(table) ? row.file_id : row.id) === two.application);

/** Tables that a unit sees part of without a column that names it. */
const ofUnitsByAnother = [
  'document.databases',
  'identity.known_devices',
  'identity.password_links',
  'identity.reset_mails',
  'identity.security_settings',
  'identity.units',
  'file.rollouts',
  'file.versions',
  'tenant.bounces',
  'tenant.daily_mails',
  'tenant.licence_changes',
  'tenant.licence_holds',
  'tenant.licence_use',
  'tenant.sign_ups',
  'tenant.stored_files',
  'tenant.units',
];

describe('When the code has no checks at all', () => {
  test.each(servicesWithDatabase)(
    'then row-level security alone keeps the tenants and units of %s apart',
    async (service) => {
      const tenant = await connectAsService(product, service, { kind: 'partner', partnerId: 2 });
      const unit = await connectAsService(product, service, { kind: 'unit', unitId: 2 });
      const bare = await connectAsService(product, service, 'none');
      try {
        const { rows: tables } = await tenant.query<Secured>(
          `SELECT c.oid::regclass AS name, c.relispartition AS "isPart",
             c.relrowsecurity AND (c.relforcerowsecurity OR c.relispartition) AS secured,
             ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1) AS policies,
             ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns
           FROM pg_class c
           WHERE c.relkind IN ('r', 'p') AND c.relnamespace::regnamespace::text !~ '^(pg_|information_schema|scope)'
             AND c.relname <> '_prisma_migrations'`,
        );
        expect(tables.some(({ columns }) => columns.includes('partner_id'))).toBe(true);
        for (const { columns, isPart, name: table, policies, secured } of tables) {
          const isOfTenants = columns.includes('partner_id');
          const isOfUnits = columns.includes('unit_id') || ofUnitsByAnother.includes(`${service}.${table}`);
          const wanted = [
            ...(besideColumns[`${service}.${table}`] ?? []),
            ...(table === 'messaging.outbox' ? ['append'] : []),
            ...(isOfTenants ? ['partner'] : []),
            'system',
            ...(isOfUnits || (service === 'tenant' && table === 'messaging.outbox') ? ['unit'] : []),
          ].sort();
          expect({ table, secured, policies }).toEqual({
            table,
            secured: true,
            policies: isPart ? [] : wanted,
          });
          const isOfNobody = !isOfTenants && !isOfUnits;
          expect([table, ofTheSystem.has(table)]).toEqual([table, isOfNobody]);
          const rows = (await tenant.query<Owned>(`SELECT * FROM ${table}`)).rows;
          expect(
            rows.filter((row) => !isOfTenants || (row.partner_id !== two.pid && !isPublished(table, row))),
          ).toEqual([]);
          // The other tenant and its administrators are of unit 1.
          const ofUnit = (await unit.query<Owned>(`SELECT * FROM ${table}`)).rows;
          expect(isOfUnits ? ofUnit.filter((row) => isOfUnitOne(table, row)) : ofUnit).toEqual([]);
          // Nor does it with a scope of its own making, nor without one.
          await bare.query('RESET app.scope');
          expect((await bare.query(`SELECT 1 FROM ${table} LIMIT 1`)).rowCount).toBe(0);
          await bare.query(`SET app.scope = 'system 0'`);
          const lifted = bare.query(`SELECT 1 FROM ${table} LIMIT 1`).then(
            ({ rowCount }) => rowCount,
            (error: Error) => error.message,
          );
          expect([0, 'The scope of the transaction is not signed']).toContain(await lifted);
          if (!isOfTenants) continue;
          for (const db of [tenant, unit]) {
            await db.query('BEGIN');
            const changed = await db.query(
              `UPDATE ${table} SET partner_id = partner_id WHERE partner_id = 1`,
            );
            expect(changed.rowCount).toBe(0);
            const deleted = await db.query(`DELETE FROM ${table} WHERE partner_id = 1`);
            expect(deleted.rowCount).toBe(0);
            await db.query('ROLLBACK');
          }
        }
        const { rows: role } = await tenant.query(
          'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
        );
        expect(role).toEqual([{ rolsuper: false, rolbypassrls: false }]);
        // What runs as the owner looks for nothing where others could put something, and is known here.
        const { rows: definers } = await tenant.query<{ name: string; path: string | null }>(
          `SELECT oid::regprocedure::text AS name,
             (SELECT setting FROM unnest(proconfig) setting WHERE setting LIKE 'search_path=%') AS path
           FROM pg_proc WHERE prosecdef ORDER BY 1`,
        );
        expect(definers.map(({ name }) => name)).toEqual([
          ...(service === 'user' ? ['analyze_import_rows()'] : []),
          ...(service === 'batch'
            ? ['logs.drop_months(timestamp with time zone)', 'logs.make_month(date)']
            : []),
          'scope.genuine(text)',
        ]);
        for (const { path } of definers) expect(path).toMatch(/^search_path=pg_catalog,.*pg_temp$/);
      } finally {
        await Promise.all([tenant, unit, bare].map(async (db) => db.end()));
      }
    },
  );

  test('then a unit sees its own, of what routes of units read', async () => {
    const seen = async (service: string, query: string) => {
      const db = await connectAsService(product, service, { kind: 'unit', unitId: 2 });
      const { rows } = await db.query<{ id: number | string }>(query).finally(async () => db.end());
      return rows.map(({ id }) => id);
    };
    expect(await seen('tenant', 'SELECT id FROM units')).toEqual([2]);
    expect(await seen('tenant', 'SELECT partner_id AS id FROM partners')).toEqual([two.pid]);
    const unitAdmins = ['other-unit@example.com', `${two.names[0]}-unit@example.com`];
    expect(await seen('identity', 'SELECT email AS id FROM admins ORDER BY 1')).toEqual(unitAdmins);
    expect(
      await seen('batch', 'SELECT DISTINCT partner_id AS id FROM logs.operation_logs ORDER BY 1'),
    ).toEqual([two.pid, null]);
    expect(
      await seen('batch', `SELECT name AS id FROM people WHERE name LIKE '%@example.com' ORDER BY 1`),
    ).toEqual([...unitAdmins, 'second@example.com', `${two.names[0]}@example.com`].sort());
    expect(await seen('user', 'SELECT partner_id AS id FROM accounts')).toEqual([]);
  });

  test('then a tenant writes no event of another', async () => {
    const db = await connectAsService(product, 'user', { kind: 'partner', partnerId: 2 });
    const append = (partnerId: number | null) =>
      db.query(
        `INSERT INTO messaging.outbox (topic, key, envelope, created_at) VALUES ('t', 'k', $1, now())`,
        [{ partnerid: partnerId }],
      );
    try {
      await expect(append(1)).rejects.toThrow('row-level security');
      // What it may write is not to be sent here.
      await db.query('BEGIN');
      expect((await append(2)).rowCount).toBe(1);
      expect((await append(null)).rowCount).toBe(1);
      await db.query('ROLLBACK');
    } finally {
      await db.end();
    }
  });
});

/** A row, by whose it is as far as it says so. */
interface Owned {
  readonly id?: number | string;
  readonly partner_id?: number | null;
  readonly file_id?: number | null;
  readonly unit_id?: number | string | null;
}

const isOfUnitOne = (table: string, { id, partner_id, unit_id = table === 'units' ? id : null }: Owned) =>
  unit_id === 1 || partner_id === one.pid;

interface Secured {
  readonly name: string;
  readonly isPart: boolean;
  readonly secured: boolean;
  readonly policies: readonly string[];
  readonly columns: readonly string[];
}
