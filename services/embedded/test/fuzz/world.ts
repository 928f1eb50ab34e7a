import { fileRoutes, type RouteContract } from '@portal/contracts';
import { demoPassword, send, signIn, signInAdmin } from '@portal/testing/http-client';
import type { Product } from '@portal/testing/product';

/** Who asks. `foreign` is the company admin of another tenant than all the others. */
export const actors = [
  'nobody',
  'admin',
  'unitAdmin',
  'companyAdmin',
  'developer',
  'player',
  'foreign',
] as const;
export type Actor = (typeof actors)[number];
type Person = Exclude<Actor, 'nobody'>;

/** What an id may name. */
type Noun = 'groups' | 'users' | 'admins' | 'files' | 'uploads' | 'batches';
type One = <T>(values: readonly T[]) => T;

const own = 1;
const others = 2;
const keptIds = 12;
const numbers = Array.from({ length: 500 }, (_, index) => index);
const anUnknownUuid = '01935a2b-7c4d-7e8f-9a0b-1c2d3e4f5a6b';

/** Whose calls may be about any tenant, as far as the test knows. */
export const isAdmin = (actor: Actor): boolean => actor !== 'nobody' && kindOf[actor] === 'admin';

const kindOf: Record<Person, 'admin' | 'partner' | 'player'> = {
  admin: 'admin',
  unitAdmin: 'admin',
  companyAdmin: 'partner',
  developer: 'partner',
  player: 'player',
  foreign: 'partner',
};

/** What the fuzz test knows of the product: the signed-in callers, and the ids of existing records. */
export interface World {
  token(actor: Actor): string | undefined;
  signInAgain(actor: Actor): Promise<void>;
  /** The password of somebody has become another one. */
  passwordOf(actor: Actor, password: string): void;
  mayCall(actor: Actor, route: RouteContract): boolean;
  /** The tenant of the actor, or another one. */
  partnerOf(actor: Actor, mine: boolean): number;
  idFor(route: RouteContract, name: string, partnerId: number, one: One): string;
  valueFor(route: RouteContract, name: string, partnerId: number, one: One): unknown;
  /** Something was made. */
  learn(route: RouteContract, partnerId: number | undefined, reply: unknown): void;
}

export async function createWorld(product: Product): Promise<World> {
  const passwords: Partial<Record<Actor, string>> = {};
  const tokens: Partial<Record<Actor, string>> = {};
  const ids: Record<number, Record<Noun, (number | string)[]>> = {};

  const signIns: Record<Person, (password?: string) => Promise<string>> = {
    admin: async (password) => signInAdmin(product, 'admin@example.com', password),
    unitAdmin: async (password) => signInAdmin(product, 'unit@example.com', password),
    companyAdmin: async (password) => signIn(product, '1000', 'partner@example.com', undefined, password),
    developer: async (password) => signIn(product, '1000', 'dev', undefined, password),
    player: async (password) => signIn(product, '1000', 'taro', 'fuzz-device', password),
    foreign: async (password) => signIn(product, '2000', 'second@example.com', undefined, password),
  };
  for (const name of actors) if (name !== 'nobody') tokens[name] = await signIns[name]();

  /** The callers' own accounts are not among the ids, so that no request ends their sessions. */
  const asking = new Set(['dev', 'taro']);
  for (const [partnerId, token] of [
    [own, tokens.companyAdmin],
    [others, tokens.foreign],
  ] as const) {
    const base = `/v1/partner/partners/${partnerId}`;
    const list = async (noun: 'groups' | 'users' | 'admins' | 'files') => {
      const { body } = await send(product, 'GET', `${base}/${noun}?per_page=100`, { token });
      return (body[noun] as { id: number; loginUserId?: string }[])
        .filter(({ loginUserId }) => !asking.has(loginUserId ?? ''))
        .map(({ id }) => id);
    };
    const admin = { name: 'Fuzz', email: `fuzz-${partnerId}@example.com` };
    const made = await send(product, 'POST', `${base}/admins`, { token, body: admin });
    const file = { name: 'Fuzz', file_name: 'fuzz.uap', file_size: 5 };
    const opened = await send(product, 'POST', `${base}/files`, { token, body: file });
    ids[partnerId] = {
      groups: await list('groups'),
      users: await list('users'),
      admins: [Number(made.body.id)],
      files: await list('files'),
      uploads: [String(opened.body.uploadId)],
      batches: [],
    };
  }
  const database = await send(product, 'POST', `/api/v2/admin/databases/${own}`, {
    token: tokens.admin,
    body: { contract_status: 1, expire_date: '2036-01-01T00:00:00Z' },
  });
  /** The other tenant has none: its contract does not include one. */
  const databases: Readonly<Record<number, string>> = { [own]: String(database.body.db) };
  const known = (partnerId: number, noun: Noun) => ids[partnerId]?.[noun] ?? [];

  return {
    token: (actor) => tokens[actor],
    async signInAgain(actor) {
      if (actor !== 'nobody') tokens[actor] = await signIns[actor](passwords[actor]);
    },
    passwordOf(actor, password) {
      passwords[actor] = password;
    },
    mayCall(actor, { access }) {
      return access.some(({ kind }) => {
        if (kind === 'public') return true;
        if (actor === 'nobody') return false;
        const kindOfActor = kindOf[actor];
        return kind === 'anyToken' || kind === kindOfActor || (kind === 'tenant' && kindOfActor !== 'admin');
      });
    },
    partnerOf: (actor, mine) => ((actor === 'foreign') === mine ? others : own),
    idFor(route, name, partnerId, one) {
      // Of the accounts of the tenants that ask, administrators only read.
      if (isOfAdmins(route) && ['id', 'pid'].includes(name))
        return one(route.method === 'GET' ? ['1', '2', '3'] : ['3', '4']);
      if (name === 'pid') return String(partnerId);
      if (name === 'db') return databases[partnerId] ?? 'd2none00';
      if (isOfDocuments(route)) return name === 'name' ? one(collections) : one(['a', 'b', 'none']);
      if (name === 'name') return one(fileRoutes.templateNames);
      // Not a session of a caller, so that the callers stay signed in.
      if (name === 'sessionId') return anUnknownUuid;
      if (name === 'uuid') return one(['fuzz-device', 'device-of-taro']);
      const noun = nounOf(route, name);
      return String(one([...known(partnerId, noun), noun === 'uploads' ? anUnknownUuid : 4_000_000]));
    },
    valueFor(route, name, partnerId, one) {
      if (isOfDocuments(route)) return one(ofDocuments[name] ?? [undefined]);
      switch (name) {
        case 'password':
        case 'current_password':
          // It is theirs already, and therefore refused where it would be changed.
          return demoPassword;
        case 'partner_code':
          return one(['1000', '2000', '3000', '4000', 'none']);
        case 'email':
          // Too many wrong passwords lock an account, but none that asks.
          return one(['hanako@example.com', 'jiro@example.com', `fuzz-${one(numbers)}@example.com`]);
        case 'code':
          // A wrong one would count to the lock of who asks.
          return '';
        case 'two_factor_required':
          // Nobody who signs in again could do anything.
          return false;
        case 'reset_token':
          return 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
        case 'login_user_id':
          return one(['jiro', 'pusher', 'nobody', `fuzz-${one(numbers)}`]);
        case 'ids':
          return one([...known(partnerId, nounOf(route, 'ids')), 4_000_000]);
        case 'group_ids':
        case 'group':
          return one([...known(partnerId, 'groups'), 0]);
        case 'json':
          return '{"a":1}';
        case 'tz':
          return one(['Asia/Tokyo', 'UTC']);
        case 'role':
          return route.path.includes('groups') ? one([0, 268_435_456]) : one([0, 1, 16, 17]);
        case 'page':
          return one([1, 2, 1_000_000]);
        case 'per_page':
          return one([1, 10, 100]);
        case 'all':
        case 'group_unset':
        case 'include_icon_url':
          return one(['true', 'false']);
        case 'file_size':
          return one([0, 5, 2 * 1024 ** 3]);
        case 'file_name':
          return one([`fuzz-${one(numbers)}.uap`, 'fuzz.uap', 'fuzz.ufpz', 'fuzz.csv', 'fuzz.txt']);
        case 'datetime':
          return '20361122T000000Z';
        case 'exclude_ids':
          return one(['1', '1,2,3', Array(2_000).fill(4_000).join()]);
        case 'part_numbers':
        case 'part_number':
          return 1;
        default:
          return /_(at|start|end)$|_at_/.test(name)
            ? one(['2036-01-01T00:00:00Z', '2026-01-01T00:00:00Z'])
            : undefined;
      }
    },
    learn(route, partnerId, reply) {
      if (partnerId === undefined || typeof reply !== 'object' || reply === null) return;
      const of = ids[partnerId];
      if (!of) return;
      const keep = (noun: Noun, id: unknown) => {
        if (typeof id === 'number' || typeof id === 'string') of[noun] = [...of[noun].slice(1 - keptIds), id];
      };
      if ('id' in reply && route.status === 201) keep(nounOf(route, 'id'), reply.id);
      if ('upload_id' in reply) keep('uploads', reply.upload_id);
      if ('batch_id' in reply) keep('batches', reply.batch_id);
      if ('batch_process_id' in reply) keep('batches', reply.batch_process_id);
    },
  };
}

const isOfDocuments = ({ path }: RouteContract): boolean => path.startsWith('/api/v2/:db/collection');
const collections = ['one', 'two'];
/** Fields of queries and bodies, by their names. */
const ofDocuments: Readonly<Record<string, readonly unknown[]>> = {
  name: collections,
  filter: ['{}', '{"a":1}', '{"a":{"$gt":0}}', '{"$or":[{"a":{"$regex":"^x+$"}},{"b.c":{"$in":[1,null]}}]}'],
  sort: ['a', '-a,b.c'],
  fields: ['a', 'a,b.c'],
  field: ['a', 'b.c'],
  page: [1, 2, 1_000_000],
  per_page: [1, 10, 100],
};

/** A call that no tenant makes. */
const isOfAdmins = ({ access }: RouteContract): boolean => access.every(({ kind }) => kind === 'admin');

/** What the id that a route's parameter or field names is one of. */
function nounOf({ path }: RouteContract, name: string): Noun {
  if (name === 'uploadId') return 'uploads';
  if (name === 'batchId') return 'batches';
  if (name === 'adminId' || path.endsWith('/admins')) return 'admins';
  if (path.includes('/groups'))
    return name === 'ids' ? 'users' : path.includes('/files') ? 'files' : 'groups';
  return path.includes('/users') ? 'users' : 'files';
}
