import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { showApplicationRollout, showDelivery, showRollout } from './delivery.ts';
import { localTime } from './files.ts';
import { mailsTo, newestLink } from './mailbox.ts';
import { openAccountMenu } from './people.ts';
import { fillInSignUp } from './sign-up.ts';
import type { texts } from './texts.ts';

type Texts = (typeof texts)['ja' | 'en'];

export interface Screen {
  readonly path: string;
  /** The element that shows that the screen is loaded; by default the first-level heading. */
  readonly ready?: string;
  /** What is done on the screen before it is looked at. */
  readonly prepare?: (page: Page, t: Texts) => Promise<void>;
  /** A second look at a screen that is listed already. */
  readonly state?: string;
  /** The path of a call that the server refuses, as it should: the console tells of that. */
  readonly refused?: string;
}

const submit = (page: Page) => page.locator('main form:not([role=search]) button[type=submit]').click();
const openFilters = (page: Page, t: Texts) =>
  page.getByRole('button', { name: t.ui.search, exact: true }).click();

async function chooseCsv(page: Page, rows: readonly string[]): Promise<void> {
  const text = ['name,email,login_user_id,password,json,group_ids,delete_flag', ...rows].join('\n');
  const file = { name: 'ユーザー.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

/** The key of a service account, which the server takes too. */
async function chooseKey(page: Page): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const key = {
    type: 'service_account',
    project_id: 'looked-at',
    client_email: 'looked-at@looked-at.iam.gserviceaccount.com',
    private_key: privateKey,
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  const file = { name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(key)) };
  await page.locator('input[type=file]').first().setInputFiles(file);
}

/** To where the server has looked at it. */
async function importCsv(page: Page, t: Texts, rows: readonly string[]): Promise<void> {
  await chooseCsv(page, rows);
  await page.getByRole('button', { name: t.ui.toConfirm }).click();
  await page.waitForURL((url) => url.pathname !== '/partner/users/csv');
}

const selectAll = (page: Page) => page.locator('thead input[type=checkbox]').check();
/** Presses what a list offers of its first row. */
const pressOnFirst = (page: Page, action: string) =>
  page
    .getByRole('button', { name: `${action}: ` })
    .first()
    .click();

/** Opens the page of the first row. */
const openFirst = (page: Page) => page.locator('tbody th a').first().click();

/** A page that shows itself only to who has done what it reports; the browser keeps that with the address. */
const done = (path: string): Screen => ({
  path,
  state: 'when done',
  async prepare(page) {
    await page.evaluate((address) => history.replaceState({ usr: { done: true } }, '', address), path);
    await page.reload();
    await page.locator('h1').waitFor();
    await page.waitForURL(`**${path}`);
  },
});

const withErrors = (path: string): Screen => ({
  path,
  state: 'with errors',
  ready: '[role=alert]',
  prepare: submit,
});

/** What a form asks one to confirm, filled in by `fill`. */
const onConfirmation = (path: string, fill: NonNullable<Screen['prepare']>): Screen => ({
  path,
  state: 'on confirmation',
  ready: 'dl',
  async prepare(page, t) {
    await fill(page, t);
    await submit(page);
  },
});

/** Does what calls the server, which answers this instead of doing what it is asked. */
async function answered(page: Page, calls: string, json: object, act: () => Promise<unknown>): Promise<void> {
  await page.route(calls, (route) => route.fulfill({ json }));
  const reply = page.waitForResponse(calls);
  await act();
  await (await reply).finished();
  await page.unroute(calls);
}

/** Looks at the page again while the server answers these, by the ends of their paths; what the page asks later is answered by itself. */
async function shownWith(
  page: Page,
  answers: readonly (readonly [path: RegExp, json: object])[],
  path: string,
  ready: string,
): Promise<void> {
  for (const [url, json] of answers) await page.route(url, (route) => route.fulfill({ json }));
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  for (const [url] of answers) await page.unroute(url);
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString();

/** At noon, so that it is on the same day for everybody who looks. */
const atNoon = (days: number) => `${inDays(days).slice(0, 10)}T03:30:00Z`;

/** A calendar with something of each kind, and a day with very much. */
function calendarOf(): object {
  const entry = (kind: string, days: number, more: object) => ({
    kind,
    at: atNoon(days),
    title: '製品紹介 2026年冬 / Product tour',
    file_id: null,
    version: null,
    notification_id: null,
    certification_id: null,
    movable: false,
    ...more,
  });
  const entries = [
    entry('push', -2, { title: '新しいカタログを配信しました', notification_id: 1 }),
    entry('delivery', -1, { file_id: 1, version: 1 }),
    // Every week and month that is looked at has today.
    entry('delivery', 0, { file_id: 1, version: 1, movable: true, title: 'Price list' }),
    ...[1, 2, 3, 4].map((id) =>
      entry('delivery', 2, { file_id: id, version: 1, movable: true, title: `Catalogue ${id}` }),
    ),
    entry('update', 3, { file_id: 1, version: 2, movable: true }),
    entry('stage', 4, { file_id: 1, version: 2 }),
    entry('certificate_end', 5, { title: 'Sales app', certification_id: 1 }),
    entry('licence_end', 6, { title: 'Demo Corporation' }),
  ];
  return { entries, more: false };
}

/** The calendar with that, whatever is planned in the demo. */
async function showCalendar(page: Page, query = ''): Promise<void> {
  const path = `/partner/calendar${query}`;
  await shownWith(
    page,
    [[/\/partners\/\d+\/calendar\?start=/, calendarOf()]],
    path,
    'main [draggable=true], main li',
  );
}

const onCalendar = (state: string, act: NonNullable<Screen['prepare']>, ready = 'main table'): Screen => ({
  path: '/partner/calendar',
  state,
  ready,
  async prepare(page, t) {
    await showCalendar(page);
    await act(page, t);
  },
});
const firstMovable = (page: Page) => page.locator('main [draggable=true]').first();

/** Single sign-on as a provider has it whose certificate ends, and of whom something was refused. */
const ssoSetting = {
  login_url: null,
  metadata: '',
  metadata_url: 'https://idp.example.com/realms/demo/protocol/saml/descriptor',
  default_group: null,
  group_attribute: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  username_attribute: null,
  entity_id_suffix: null,
  use_sso_flag: true,
  sso_only: true,
  entity_id: 'https://portal.example.com/v1/user/login/sso/metadata/1000',
  acs_url: 'https://portal.example.com/v1/user/login/sso/acs',
  sp_metadata_url: 'https://portal.example.com/v1/user/login/sso/metadata?partner_code=1000',
  certificate_expires_at: inDays(12),
  metadata_fetched_at: '2026-01-01T00:00:00Z',
  last_login_at: '2026-01-01T00:00:00Z',
  last_error: { at: '2026-01-02T00:00:00Z', reason: 'audience: https://portal.example.com/elsewhere' },
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};
const ssoAnswers: readonly (readonly [RegExp, object])[] = [
  [/\/partners\/1\/sso$/, ssoSetting],
  [
    /\/partners\/1\/sso\/sign_ins$/,
    {
      sign_ins: [
        { at: '2026-01-02T00:00:00Z', identifier: 'hanako@example.com', reason: 'audience: x' },
        { at: '2026-01-01T00:00:00Z', identifier: null, reason: 'wrongSignature' },
        ...Array.from({ length: 5 }, () => ({
          at: '2026-01-01T00:00:00Z',
          identifier: 'taro',
          reason: null,
        })),
      ],
    },
  ],
  [
    /\/partners\/1\/sso\/tokens$/,
    {
      tokens: ['Entra ID', 'Okta', '3', '4', '5'].map((name, index) => ({
        id: index,
        name,
        created_at: '2026-01-01T00:00:00Z',
        last_used_at: index === 0 ? '2026-01-02T00:00:00Z' : null,
      })),
    },
  ],
];
const testedId = '0b6f7a6e-6a0e-4b6d-9d2f-2f1f0e9c8b7a';
const ssoTest = (state: 'accepted' | 'refused') =>
  [
    /\/partners\/1\/sso\/test\/[\w-]+$/,
    {
      state,
      identifier: 'hanako@example.com',
      name: '花子',
      user_id: 3,
      groups: [
        { name: 'Sales', known: true },
        { name: 'Elsewhere', known: false },
      ],
      attributes: [
        { name: 'NameID', values: ['hanako@example.com'] },
        {
          name: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
          values: ['Sales', 'Elsewhere'],
        },
      ],
      reason: state === 'refused' ? 'wrongSignature' : null,
    },
  ] as const;

/** Requests of changes, as another administrator has made them. */
const concerned = (users: number, devices: number, names: readonly string[]) => ({ users, devices, names });
const stagesInWords = {
  stages: [
    { percent: 100, group_ids: [1] },
    { percent: 10, after: 'P1D' },
    { percent: 50, after: 'PT12H' },
    { percent: 100 },
  ],
  halt: { failure_percent: 5, min_reports: 20 },
};
const approvalRows = (['waiting', 'waiting', 'approved', 'declined', 'stale'] as const).map(
  (state, index) => ({
    id: 11 + index,
    what: (['groups', 'restore', 'reservation', 'deletion', 'settings'] as const)[index],
    state,
    file: index === 4 ? null : { id: 1, name: `${'配信するファイル'.repeat(3)} ${'x'.repeat(60)}` },
    body: [
      { group_ids: [0, 1], notify_email: true, notify_push: false },
      { version: 3, version_note: 'Back', rollout: stagesInWords },
      { update_reservation_at: '2099-01-01T00:00:00Z', file_name: 'tour.uap', file_size: 123_456 },
      {},
      {},
    ][index],
    preview:
      index === 4
        ? null
        : {
            gains: concerned(
              1_234_567,
              2_345_678,
              Array.from({ length: 20 }, (_, at) => `山田 ${at}`),
            ),
            loses: concerned(2, 0, ['佐藤', 'Suzuki']),
            changes: concerned(0, 0, []),
            bytes: 987_654_321_000,
          },
    by: { id: index === 1 ? 1 : 99, name: '鈴木 一郎' },
    at: '2026-01-01T00:00:00Z',
    expires_at: inDays(5),
    decided_by: state === 'approved' || state === 'declined' ? { id: 98, name: '高橋 花子' } : null,
    decided_at: state === 'waiting' ? null : '2026-01-02T00:00:00Z',
    comment: state === 'declined' ? 'まだ早いと思います。' : null,
  }),
);
const approvalList = [
  /\/partners\/1\/approvals\?[^/]*$/,
  { current_page: 1, total_page: 1, total_count: approvalRows.length, approvals: approvalRows },
] as const;

/** The page asks again while it is open, so the answer stays. */
async function openApproval(page: Page, id: number): Promise<void> {
  const json = approvalRows.find((row) => row.id === id) ?? {};
  await page.route(new RegExp(`/partners/1/approvals/${id}$`), (route) => route.fulfill({ json }));
  await page.goto(`/partner/approvals/detail/?id=${id}&pn=Demo`);
  await page.locator('main dl').first().waitFor();
}

/** What the editor of documents asks; exact, since these answers stay for the screens after it. */
const database = {
  partner_id: 1,
  db: 'd1lookat',
  contract_status: 1,
  start_date: '2026-01-01T00:00:00Z',
  expire_date: inDays(20),
  usage_bytes: 99_000_000,
  document_count: 2,
  quota_bytes: 104_857_600,
};
const companyDatabase = { ...database, partner_name: 'Demo Corporation', api_key: 'looked-at' };
const storedOrder = (id: string, more: object) => ({
  _id: id,
  ...more,
  _created_at: '2026-01-01T00:00:00Z',
  _updated_at: '2026-01-02T00:00:00Z',
  _version: 1,
});
const storedOrders = [
  storedOrder('order-1', {
    status: 'paid',
    total: 1200,
    customer: { name: '花子', city: '東京' },
    note: null,
  }),
  storedOrder('order-2', { status: 'open', lines: [{ sku: 'S-1', count: 2 }], express: true }),
  storedOrder(`order-${'3'.repeat(120)}`, { status: 'x'.repeat(400) }),
];
const pageOfOrders = {
  current_page: 1,
  total_page: 1,
  total_count: storedOrders.length,
  after: null,
  documents: storedOrders,
};
const documentAnswers: readonly (readonly [RegExp, object])[] = [
  [/\/api\/v2\/database$/, { ...database, readable: true, writable: true }],
  [/\/api\/v2\/admin\/databases\/1$/, companyDatabase],
  [
    /\/api\/v2\/admin\/databases\?[^/]*$/,
    { current_page: 1, total_page: 1, total_count: 1, databases: [companyDatabase] },
  ],
  [/\/api\/v2\/d1lookat\/apikey$/, { api_key: 'looked-at' }],
  [
    /\/api\/v2\/d1lookat\/collection$/,
    {
      collections: [
        { name: 'orders', count: storedOrders.length, size: 2048 },
        { name: 'events', count: 0, size: 0 },
      ],
    },
  ],
  [/\/api\/v2\/d1lookat\/collection\/orders\/documents(\?[^/]*)?$/, pageOfOrders],
  [
    /\/api\/v2\/d1lookat\/collection\/events\/documents(\?[^/]*)?$/,
    { ...pageOfOrders, total_page: 0, total_count: 0, documents: [] },
  ],
  [/\/api\/v2\/d1lookat\/collection\/orders\/documents\/order-1$/, storedOrders[0] ?? {}],
  [/\/api\/v2\/d1lookat\/collection\/orders\/indexes$/, { indexes: [{ field: 'status' }] }],
];

/** A page about documents, as if the company had a database. */
const ofDocuments = (path: string, screen: Partial<Screen> & { readonly from?: string } = {}): Screen => ({
  path,
  ready: 'main table',
  state: 'with a database',
  ...screen,
  async prepare(page, t) {
    for (const [url, json] of documentAnswers) await page.route(url, (route) => route.fulfill({ json }));
    await page.goto(path);
    await page
      .locator(screen.from ?? screen.ready ?? 'main table')
      .first()
      .waitFor();
    await screen.prepare?.(page, t);
  },
});

/** Writes into an editor of code. */
async function writeCode(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

const idpMetadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/entity">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/></EntityDescriptor>`;

async function pasteMetadata(page: Page, t: Texts): Promise<void> {
  await page.getByRole('radio', { name: t.sso.sources.text }).check();
  await page.getByRole('textbox', { name: t.sso.metadataText }).fill(idpMetadata);
  await page.getByRole('checkbox', { name: t.sso.ssoOnly }).check();
}

/** A page of single sign-on where there is none yet: that is asked, and answered with 404. */
const beforeSso = (path: string, screen: Partial<Screen> = {}): Screen => ({
  path,
  refused: '/sso',
  ...screen,
});

const fillInTrial = async (page: Page, t: Texts) =>
  fillInSignUp(page, t, {
    email: 'looked-at@example.com',
    companyName: '山田商店',
    password: 'Orange-boat-42',
  });

/** Back on the form of a free sign-up, on an installation with identity providers. */
async function comeBackFromProvider(page: Page, told: Readonly<Record<string, string>>): Promise<void> {
  const calls = '**/v1/oauth2/providers';
  await page.route(calls, (route) => route.fulfill({ json: { providers: ['google', 'microsoft'] } }));
  const state = 'gAbCdEf1234';
  await page.evaluate((begun) => localStorage.setItem('authState', begun), state);
  await page.evaluate(
    (hash) => history.replaceState(history.state, '', hash),
    `#${new URLSearchParams({ ...told, state }).toString()}`,
  );
  await page.reload();
  await page.locator('main form').waitFor();
  await page.unroute(calls);
}

/** A list whose rows can be selected and deleted. */
const listStates = (path: string, query: string): readonly Screen[] => [
  { path, ready: 'tbody th' },
  {
    path: `${path}?${query}`,
    state: 'with filters and selected rows',
    ready: 'form[role=search]',
    async prepare(page, t) {
      await openFilters(page, t);
      await selectAll(page);
    },
  },
  {
    path,
    state: 'asking before a deletion',
    ready: 'dialog',
    prepare: (page, t) => pressOnFirst(page, t.ui.delete),
  },
];

/** What somebody sees to for themselves, and what is asked of all. */
const ownAccount = (area: 'admin' | 'partner'): readonly Screen[] => [
  {
    path: `/${area}/menu`,
    state: 'with the account menu',
    ready: 'header fieldset',
    prepare: openAccountMenu,
  },
  {
    path: `/${area}/menu`,
    state: 'with the palette',
    ready: '[role=listbox] [role=option]',
    prepare: (page) => page.keyboard.press('Control+k'),
  },
  {
    path: `/${area}/menu`,
    state: 'with the notices',
    ready: 'header h2',
    prepare: (page, t) => page.getByRole('button', { name: t.ownNotices.title }).click(),
  },
  { path: `/${area}/account`, ready: 'main li' },
  { path: `/${area}/account/two-factor`, ready: 'main form' },
  { path: `/${area}/security`, ready: 'main section button' },
  {
    path: `/${area}/security`,
    state: 'asking before two factors are required',
    ready: 'dialog',
    prepare: (page, t) => page.getByRole('button', { name: t.account.security.require.action }).click(),
  },
];

/** Every screen of the product, by who sees it, and the states in which a screen looks different. */
export const screens: Readonly<Record<'guest' | 'admin' | 'partner', readonly Screen[]>> = {
  guest: [
    { path: '/partner/login/?partner_code=1000' },
    withErrors('/partner/login/'),
    {
      path: '/partner/login/?partner_code=1000&error=E40307',
      state: 'with single sign-on, which was refused',
      ready: 'main [role=alert]',
      async prepare(page, t) {
        const calls = /\/v1\/user\/login\/sso\/check\?/;
        await page.route(calls, (route) => route.fulfill({ json: { use_sso_flag: true } }));
        await page.goto('/partner/login/?partner_code=1000&error=E40307');
        await page.getByRole('button', { name: t.auth.withSso }).waitFor();
        await page.unroute(calls);
      },
    },
    { path: '/admin/login' },
    withErrors('/admin/login'),
    ...(['admin', 'partner', 'user'] as const).flatMap((area): Screen[] => [
      { path: `/${area}/password/reset-mail` },
      done(`/${area}/password/reset-mail-complete`),
      done(`/${area}/password/reset-complete`),
      { path: `/${area}/password/reset-session-expired` },
    ]),
    withErrors('/partner/password/reset-mail?partner_code=none'),
    { path: '/partner/password/reset?reset_token=none', state: 'of a link that is over' },
    {
      path: '/user/password/reset-mail',
      state: 'after the link of its mail',
      ready: 'input[autocomplete=new-password]',
      async prepare(page) {
        const body = { partner_code: '1000', email: 'hanako@example.com' };
        const known = (await mailsTo(page, body.email)).length;
        await page.request.post('/v1/user/password/reset_mail', { data: body });
        await page.goto(await newestLink(page, body.email, known));
      },
    },
    { path: '/user/password/init-notcompleted' },
    { path: '/trial', ready: 'main form' },
    withErrors('/trial'),
    onConfirmation('/trial', fillInTrial),
    {
      path: '/trial',
      state: 'complete',
      ready: 'main [role=status]',
      async prepare(page, t) {
        await fillInTrial(page, t);
        await submit(page);
        await answered(page, '**/v2/trial', { id: 1, partner_code: '12345678' }, () =>
          page.getByRole('button', { name: t.signUp.submit, exact: true }).click(),
        );
      },
    },
    { path: '/signup', ready: 'main form' },
    withErrors('/signup'),
    {
      path: '/signup',
      state: 'with providers, back from one without its consent',
      ready: 'main [role=alert]',
      prepare: (page) => comeBackFromProvider(page, { error: 'E40102' }),
    },
    {
      path: '/signup',
      state: 'back from a provider',
      ready: 'main input[readonly]',
      prepare: (page) => {
        const claims = Buffer.from(JSON.stringify({ email: 'hanako@example.com' })).toString('base64url');
        return comeBackFromProvider(page, { access_token: 'a', id_token: `x.${claims}.y`, expiry: '60' });
      },
    },
    {
      path: '/signup/activate?token=none',
      state: 'of a link that is over',
      ready: 'main [role=note]',
      refused: '/v2/signup/activate',
    },
    {
      path: '/signup/activate',
      state: 'of a link that is followed',
      ready: 'main [role=status]',
      prepare: (page) =>
        answered(page, '**/v2/signup/activate', { partner_code: '12345678' }, () =>
          page.goto('/signup/activate?token=looked-at'),
        ),
    },
    { path: '/no/such/page' },
  ],
  admin: [
    { path: '/admin/menu' },
    { path: '/admin/no/such/page' },
    { path: '/admin/password/update' },
    done('/admin/password/complete'),
    ...ownAccount('admin'),
    { path: '/admin/menu', state: 'in full', ready: 'main [role=meter]' },
    {
      path: '/admin/menu',
      state: 'with a push certificate that ends soon',
      ready: 'main [role=note]',
      async prepare(page) {
        const calls = '**/v1/admin/push_notifications/certifications';
        const json = {
          id: 1,
          certification_file_name: 'portal.p12',
          has_api_key: true,
          project_id: 'demo-project',
          has_certificate: true,
          topic: 'com.example.portal',
          certificate_expires_at: new Date(Date.now() + 12 * 24 * 3_600_000).toISOString(),
          in_use: false,
          created_at: '2026-01-01T00:00:00Z',
          updated_at: '2026-01-01T00:00:00Z',
        };
        await page.route(calls, (route) => route.fulfill({ json }));
        await page.reload();
        await page.locator('main [role=note]').waitFor();
        await page.unroute(calls);
      },
    },
    { path: '/admin/outsourcing', ready: 'tbody th' },
    {
      path: '/admin/outsourcing',
      state: 'with an opened unit',
      ready: 'tr[data-detail]',
      prepare: (page) => page.locator('tbody button[aria-expanded]').first().click(),
    },
    {
      path: '/admin/outsourcing',
      state: 'refusing to delete a unit with companies',
      ready: 'dialog li',
      prepare: (page, t) => pressOnFirst(page, t.ui.delete),
    },
    { path: '/admin/outsourcing?q=nothing-of-this-name', state: 'without a match', ready: 'main h2' },
    { path: '/admin/outsourcing/detail/?id=1&pn=Demo%20unit', ready: 'tbody th' },
    withErrors('/admin/outsourcing/create'),
    {
      path: '/admin/outsourcing/create',
      state: 'choosing the owner',
      ready: '[role=option]',
      prepare: (page) => page.getByRole('combobox').click(),
    },
    onConfirmation('/admin/outsourcing/edit/?id=1&pn=Demo%20unit', async (page, t) => {
      await page.getByRole('textbox', { name: t.units.name }).fill('Looked at');
    }),
    { path: '/admin/outsourcing/admins?id=1&pn=Demo%20unit', ready: 'tbody th' },
    {
      path: '/admin/outsourcing/admins?id=1&pn=Demo%20unit',
      state: 'asking before a deletion',
      ready: 'dialog',
      prepare: (page, t) => pressOnFirst(page, t.ui.delete),
    },
    { path: '/admin/outsourcing/admins/create?id=1&pn=Demo%20unit', ready: 'form' },
    withErrors('/admin/outsourcing/admins/create?id=1&pn=Demo%20unit'),
    onConfirmation('/admin/outsourcing/admins/create?id=1&pn=Demo%20unit', async (page, t) => {
      await page.getByRole('textbox', { name: t.administrators.name }).fill('Looked at');
      await page.getByRole('textbox', { name: t.administrators.email }).fill('looked-at@example.com');
      await page.locator('input[autocomplete=new-password]').fill('Passw0rd-looked');
    }),
    { path: '/admin/outsourcing/admins/edit/?id=2&pn=Demo%20unit&unit=1', ready: 'form' },
    { path: '/admin/admins', ready: 'tbody th' },
    { path: '/admin/admins/create', ready: 'form' },
    withErrors('/admin/admins/create'),
    { path: '/admin/admins/edit/?id=1', state: 'of oneself', ready: 'form' },
    { path: '/admin/partners', ready: 'tbody th' },
    { path: '/admin/partners', state: 'with filters', ready: 'form[role=search]', prepare: openFilters },
    { path: '/admin/partners?name=nobody', state: 'without a match', ready: 'main h2' },
    {
      path: '/admin/partners?name=Expired',
      state: 'asking before a deletion',
      ready: 'dialog p',
      prepare: (page, t) => page.getByRole('button', { name: `${t.ui.delete}: Expired Ltd` }).click(),
    },
    {
      path: '/admin/partners?name=Demo',
      state: 'telling why a company cannot be deleted',
      ready: 'dialog a',
      prepare: (page, t) => page.getByRole('button', { name: `${t.ui.delete}: Demo Corporation` }).click(),
    },
    { path: '/admin/partner/menu/?id=1&pn=Demo', ready: 'main [role=meter]' },
    { path: '/admin/partner/files/?id=1&pn=Demo', ready: 'tbody th' },
    { path: '/admin/partner/files/detail/?id=1&pn=Demo&partner=1', ready: 'dl' },
    { path: '/admin/partner/users/?id=1&pn=Demo', ready: 'tbody th' },
    { path: '/admin/partner/users/detail/?id=2&pn=Demo&partner=1', ready: 'dl' },
    { path: '/admin/partner/groups/?id=1&pn=Demo', ready: 'tbody th' },
    { path: '/admin/partner/groups/detail/?id=1&pn=Demo&partner=1', ready: 'tbody th' },
    { path: '/admin/partner/certifications/?id=1&pn=Demo', ready: 'main h2, tbody th' },
    { path: '/admin/partners/create', ready: 'form' },
    withErrors('/admin/partners/create'),
    {
      path: '/admin/partners/create',
      state: 'with the units to choose from',
      ready: '[role=option]',
      prepare: (page, t) => page.getByRole('combobox', { name: t.partnerForm.unit }).click(),
    },
    {
      path: '/admin/partners/create',
      state: 'complete, with demo users',
      ready: 'main table',
      async prepare(page, t) {
        await page.getByRole('textbox', { name: t.partnerForm.name }).fill('Looked at');
        await page.getByRole('combobox', { name: t.partnerForm.unit }).click();
        await page.getByRole('option', { name: 'Demo unit' }).click();
        await page.getByRole('radio', { name: t.auth.ranks.entry }).check();
        await page.getByRole('textbox', { name: t.partnerForm.licenseCount }).fill('2');
        await page.getByRole('checkbox', { name: t.partnerForm.createDemoUsers }).check();
        await submit(page);
        // What would be created stays out of the lists that other specs count.
        const calls = '**/v1/admin/partners';
        const password = 'Shown0nceAlone22';
        await page.route(calls, (route) =>
          route.fulfill({
            status: 201,
            json: {
              id: 1,
              partner_code: '12345678',
              demo_users: ['demo1', 'demo2'].map((login_user_id) => ({ login_user_id, password })),
            },
          }),
        );
        await page.getByRole('button', { name: t.ui.create, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: t.partnerForm.complete }).waitFor();
        await page.unroute(calls);
      },
    },
    {
      path: '/admin/partners/edit/?id=1&pn=Demo',
      state: 'with what a change means',
      ready: 'form [role=note]',
      async prepare(page, t) {
        await page.getByLabel(t.partnerForm.partnerCode).fill('looked-at');
        await page.getByRole('radio', { name: t.auth.ranks.entry }).check();
        await page.getByRole('textbox', { name: t.partnerForm.licenseCount }).fill('999999');
      },
    },
    onConfirmation('/admin/partners/edit/?id=2&pn=Second', async (page, t) => {
      await page.getByLabel(t.partnerForm.partnerCode).fill('looked-at');
    }),
    {
      path: '/admin/partners/edit/?id=1&pn=Demo',
      state: 'with another code, of a company with single sign-on',
      ready: 'form [role=note] ~ [role=note]',
      async prepare(page, t) {
        const calls = /\/v1\/user\/login\/sso\/check\?/;
        await page.route(calls, (route) => route.fulfill({ json: { use_sso_flag: true } }));
        // What was typed here before is there again, and has asked before the call was caught.
        await page.reload();
        await page.getByLabel(t.partnerForm.partnerCode).fill('looked-at');
        await page.getByText(t.partnerForm.codeChangesEntityId).waitFor();
        await page.unroute(calls);
      },
    },
    beforeSso('/admin/partners/sso/?id=1&pn=Demo', { ready: 'main ol' }),
    beforeSso('/admin/partners/sso/edit/?id=1&pn=Demo', { ready: 'form' }),
    beforeSso('/admin/partners/sso/edit/?id=1&pn=Demo', {
      state: 'on confirmation',
      ready: 'dl',
      async prepare(page, t) {
        await pasteMetadata(page, t);
        await submit(page);
      },
    }),
    {
      path: '/admin/partners/sso/?id=1&pn=Demo',
      state: 'asking before single sign-on is deleted',
      refused: '/sso',
      ready: 'dialog',
      async prepare(page, t) {
        await shownWith(page, ssoAnswers, '/admin/partners/sso/?id=1&pn=Demo', 'main dl');
        await page.getByRole('button', { name: t.sso.delete }).click();
      },
    },
    {
      path: '/admin/partners/sso/?id=3&pn=Entry',
      state: 'of a plan without single sign-on',
      ready: 'main h2',
      refused: '/sso',
    },
    { path: '/admin/partners/bounces/?id=1&pn=Demo', ready: 'main h2' },
    { path: '/admin/partners/operation-logs/?id=1&pn=Demo', ready: 'main h2' },
    { path: '/admin/license-logs', ready: 'tbody th' },
    { path: '/admin/license-logs', state: 'with filters', ready: 'form[role=search]', prepare: openFilters },
    { path: '/admin/partners/license-logs/?id=1&pn=Demo', ready: 'main h1' },
    { path: '/admin/applications', ready: 'tbody th' },
    {
      path: '/admin/applications',
      state: 'with filters',
      ready: 'tbody th',
      prepare: openFilters,
    },
    { path: '/admin/applications/create', ready: 'form' },
    withErrors('/admin/applications/create'),
    // The applications of the demo.
    { path: '/admin/applications/detail/?id=4', ready: 'dl' },
    {
      path: '/admin/applications/detail/?id=4',
      state: 'with stages that are halted',
      ready: 'ol[aria-label] [aria-current=step]',
      async prepare(page) {
        await showApplicationRollout(page);
        await page.reload();
      },
    },
    {
      path: '/admin/applications/detail/?id=4',
      state: 'putting a version back in stages',
      ready: 'dialog ol',
      async prepare(page, t) {
        await showApplicationRollout(page);
        await page.reload();
        await page.getByRole('button', { name: t.rollout.putBack.replace('{{version}}', '1') }).click();
        await page.getByRole('radio', { name: t.rollout.ways.stages }).check();
      },
    },
    { path: '/admin/applications/edit/?id=4', ready: 'form' },
    { path: '/admin/sales-applications', ready: 'tbody th' },
    { path: '/admin/sales-applications/create', ready: 'form' },
    { path: '/admin/partner-admins?id=1&pn=Demo', ready: 'tbody th' },
    { path: '/admin/partner-admins/create?id=1&pn=Demo', ready: 'form' },
    withErrors('/admin/partner-admins/create?id=1&pn=Demo'),
    { path: '/admin/partner-admins/edit/?id=1&pn=Demo&partner=1', ready: 'form' },
    { path: '/admin/databases', ready: 'main h2, tbody th' },
    { path: '/admin/databases/create', ready: 'form' },
    {
      path: '/admin/databases/create',
      state: 'with errors',
      ready: '[role=alert]',
      prepare: submit,
    },
    ofDocuments('/admin/databases', { ready: 'main [role=meter]' }),
    ofDocuments('/admin/databases', {
      state: 'asking before a database is deleted',
      from: 'main [role=meter]',
      ready: 'dialog input',
      prepare: (page, t) => pressOnFirst(page, t.ui.delete),
    }),
    ofDocuments('/admin/databases/edit/?id=1&pn=Demo', { ready: 'main dl' }),
    ofDocuments('/admin/databases/edit/?id=1&pn=Demo', {
      state: 'on confirmation',
      from: 'main form',
      ready: 'main dl [data-changed], main [data-changed]',
      async prepare(page, t) {
        await page.getByRole('radio', { name: t.documents.statuses.contracted }).check();
        await submit(page);
      },
    }),
    ofDocuments('/admin/partner/collections/?id=1&pn=Demo&name=orders', {
      state: 'read by an administrator',
    }),
    { path: '/admin/certification', ready: 'main h2, main dl' },
    { path: '/admin/certification/create', ready: 'form' },
    withErrors('/admin/certification/create'),
    onConfirmation('/admin/certification/create', chooseKey),
    { path: '/admin/certification/edit', ready: 'form' },
    {
      path: '/admin/certification/edit',
      state: 'with nothing left of it',
      ready: '[role=alert]',
      async prepare(page, t) {
        await page.getByRole('checkbox', { name: t.certificates.deletesKey }).check();
        await page.getByRole('checkbox', { name: t.certificates.deletesCertificate }).check();
        await submit(page);
      },
    },
    onConfirmation('/admin/certification/edit', chooseKey),
    {
      path: '/admin/certification/edit',
      state: 'on completion',
      ready: 'main [role=status]',
      async prepare(page, t) {
        await chooseKey(page);
        await submit(page);
        await answered(page, '**/v1/admin/push_notifications/certifications', {}, () =>
          page.getByRole('button', { name: t.ui.save, exact: true }).click(),
        );
      },
    },
    { path: '/admin/operation-logs', ready: 'table[aria-busy=false] tbody th' },
  ],
  partner: [
    { path: '/partner/menu', ready: 'main [role=meter]' },
    { path: '/partner/no/such/page' },
    { path: '/partner/password/update' },
    withErrors('/partner/password/update'),
    done('/partner/password/complete'),
    ...ownAccount('partner'),
    {
      path: '/partner/menu',
      state: 'after the notice of a finished export',
      ready: 'main button',
      async prepare(page) {
        const status = '**/users/csv/batches/1';
        await page.route(status, (route) =>
          route.fulfill({ json: { id: 1, status: 'complete', progress: 1, row_count: 1234 } }),
        );
        await page.goto('/partner/exports/users/1');
        await page.locator('main button').waitFor();
        await page.unroute(status);
      },
    },
    ...listStates('/partner/groups', 'name=a&orderKey=name&order=asc'),
    { path: '/partner/groups/create', ready: 'form' },
    withErrors('/partner/groups/create'),
    onConfirmation('/partner/groups/create', async (page, t) => {
      await page.getByLabel(t.groups.name).fill('Looked at');
    }),
    { path: '/partner/groups/edit/?id=1&pn=Demo', ready: 'form' },
    { path: '/partner/groups/detail/?id=1&pn=Demo', ready: 'tbody th' },
    {
      path: '/partner/groups/detail/?id=1&pn=Demo',
      state: 'asking before a member leaves',
      ready: 'dialog',
      prepare: (page, t) => pressOnFirst(page, t.groups.members.remove),
    },
    {
      path: '/partner/groups/members/?id=1&pn=Demo',
      state: 'with selected rows',
      ready: '[role=region]',
      prepare: selectAll,
    },
    ...listStates('/partner/users', 'name=a&orderKey=lastLoginAt'),
    {
      path: '/partner/users',
      state: 'with a range that ends before it starts',
      ready: 'form [aria-invalid=true]',
      async prepare(page, t) {
        await openFilters(page, t);
        await page.getByLabel(t.users.filters.createdAtStart).fill('2026-02-02T00:00');
        await page.getByLabel(t.users.filters.createdAtEnd).fill('2026-02-01T00:00');
        await page.getByRole('button', { name: t.ui.applySearch, exact: true }).click();
      },
    },
    { path: '/partner/users/detail/?id=2&pn=Demo', ready: 'tbody th' },
    { path: '/partner/users/create', ready: 'form' },
    {
      path: '/partner/users/create',
      state: 'with errors of a user ID',
      ready: '[role=alert]',
      async prepare(page, t) {
        await page.getByRole('radio', { name: t.users.loginUserId }).check();
        await page.getByRole('checkbox', { name: t.users.limitDevices }).check();
        await submit(page);
      },
    },
    onConfirmation('/partner/users/create', async (page, t) => {
      // What was typed for the screen before is still there.
      await page.getByRole('radio', { name: t.users.email }).check();
      await page.getByRole('checkbox', { name: t.users.limitDevices }).uncheck();
      await page.getByRole('textbox', { name: t.users.name }).fill('Looked at');
      await page.getByRole('textbox', { name: t.users.email }).fill('looked-at@example.com');
      await page.getByRole('checkbox', { name: 'Sales' }).check();
    }),
    { path: '/partner/users/edit/?id=2&pn=Demo', ready: 'form' },
    {
      path: '/partner/users',
      state: 'with the other form of the CSV',
      ready: '[aria-expanded=true]',
      prepare: (page, t) => page.getByRole('button', { name: t.ui.csvOther }).click(),
    },
    onConfirmation('/partner/users/edit/?id=2&pn=Demo', async (page, t) => {
      await page.getByRole('checkbox', { name: 'Field' }).check();
      await page.getByLabel(t.users.json).fill('{"seat": 4}');
    }),
    {
      path: '/partner/users/detail/?id=3&pn=Demo',
      state: 'asking before the password mail',
      ready: 'dialog',
      prepare: (page, t) => page.getByRole('button', { name: t.users.passwordMail.send }).click(),
    },
    { path: '/partner/users/csv' },
    {
      path: '/partner/users/csv',
      state: 'with wrong lines',
      ready: 'tbody th',
      prepare: (page) => chooseCsv(page, ['Wrong,no address,,,,,0', 'Eight columns,,,,,,,']),
    },
    {
      path: '/partner/users/csv',
      state: 'with an empty file',
      ready: '[role=alert]',
      async prepare(page) {
        const file = { name: '空.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) };
        await page.locator('input[type=file]').setInputFiles(file);
      },
    },
    {
      path: '/partner/users/csv',
      state: 'on confirmation',
      async prepare(page, t) {
        await importCsv(page, t, ['Looked at,looked-at@example.com,,,,,0', ',,jiro,,,,1']);
        await page.getByText(t.userImport.confirmLead).waitFor();
      },
    },
    {
      path: '/partner/users/csv',
      state: 'with lines that the server refused',
      ready: 'tbody th',
      prepare: (page, t) => importCsv(page, t, ['Looked at,looked-at@example.com,,,,99999,0']),
    },
    {
      path: '/partner/users/csv',
      state: 'on completion',
      async prepare(page, t) {
        // As they are.
        await importCsv(page, t, ['Jiro,,jiro,,,,0']);
        await page.getByRole('button', { name: t.userImport.submit, exact: true }).click();
        await page.getByText(t.userImport.done).waitFor();
      },
    },
    { path: '/partner/summary', ready: '[role=meter]' },
    {
      path: '/partner/summary',
      state: 'as a table',
      ready: 'tbody th',
      prepare: (page, t) => page.getByRole('button', { name: t.ui.chart.asTable }).first().click(),
    },
    { path: '/partner/admins', ready: 'tbody th' },
    { path: '/partner/admins?name=nobody', state: 'without a match', ready: 'main h2' },
    { path: '/partner/admins/create', ready: 'form' },
    withErrors('/partner/admins/create'),
    onConfirmation('/partner/admins/create', async (page, t) => {
      await page.getByRole('textbox', { name: t.companyAdmins.name }).fill('Looked at');
      await page.getByRole('textbox', { name: t.companyAdmins.email }).fill('looked-at@example.com');
    }),
    { path: '/partner/admins/edit/?id=1&pn=Demo', ready: 'form' },
    { path: '/partner/calendar', ready: 'main table' },
    onCalendar('with much', async () => undefined),
    onCalendar('as a week', async (page) => showCalendar(page, '?view=week')),
    onCalendar('as a list', async (page) => showCalendar(page, '?view=list'), 'main li'),
    { path: '/partner/calendar?view=list&day=2001-01-01', ready: 'main h2 ~ *' },
    onCalendar('at an entry', async (page) => firstMovable(page).click(), 'dialog'),
    onCalendar('while an entry is moved', async (page) => {
      await firstMovable(page).press('m');
      await page.keyboard.press('ArrowRight');
    }),
    onCalendar(
      'before an entry is moved',
      async (page) => {
        await firstMovable(page).press('m');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
      },
      'dialog form',
    ),
    {
      path: '/partner/calendar',
      state: 'with the address for calendar apps',
      ready: 'dialog',
      refused: '/calendar/token',
      prepare: async (page, t) => page.getByRole('button', { name: t.calendar.subscribe.button }).click(),
    },
    { path: '/partner/push-notifications', ready: 'main h2, tbody th' },
    { path: '/partner/push-notifications/create', ready: 'figure' },
    {
      path: '/partner/push-notifications/create',
      state: 'with errors',
      ready: '[role=alert]',
      async prepare(page, t) {
        await page.getByRole('radio', { name: t.pushNotifications.deliverTypes.deliverSchedule }).check();
        await page.getByRole('radio', { name: t.pushNotifications.deliverToTypes.users }).check();
        await submit(page);
      },
    },
    {
      path: '/partner/push-notifications/create',
      state: 'choosing users',
      ready: 'tbody th',
      async prepare(page, t) {
        await page.getByRole('radio', { name: t.pushNotifications.deliverToTypes.users }).check();
        await page.getByRole('button', { name: t.pushNotifications.chooseUsers }).click();
        await pressOnFirst(page, t.pushNotifications.add);
      },
    },
    onConfirmation('/partner/push-notifications/create', async (page, t) => {
      await page.getByRole('textbox', { name: t.pushNotifications.message }).fill('Looked at');
      await page.getByRole('radio', { name: t.pushNotifications.deliverTypes.deliverNow }).check();
      await page.getByRole('radio', { name: t.pushNotifications.deliverToTypes.group }).check();
      await page.getByRole('combobox').selectOption({ index: 1 });
    }),
    {
      path: '/partner/push-notifications/create',
      state: 'on completion',
      ready: 'main [role=status]',
      async prepare(page, t) {
        await page.getByRole('textbox', { name: t.pushNotifications.pushTitle }).fill('速報');
        await page.getByRole('textbox', { name: t.pushNotifications.message }).fill('Looked at');
        await page.getByRole('radio', { name: t.pushNotifications.deliverTypes.deliverSchedule }).check();
        await page.locator('input[type=datetime-local]').fill(localTime(24 * 3_600_000));
        await submit(page);
        await page.getByRole('button', { name: t.ui.create, exact: true }).click();
        await page.waitForURL('**/complete');
      },
    },
    {
      path: '/partner/push-notifications?status=waiting',
      state: 'with filters and selected rows',
      ready: 'form[role=search]',
      async prepare(page, t) {
        await openFilters(page, t);
        await selectAll(page);
      },
    },
    {
      path: '/partner/push-notifications?status=waiting',
      state: 'asking before a deletion',
      ready: 'dialog',
      prepare: (page, t) => pressOnFirst(page, t.ui.delete),
    },
    {
      path: '/partner/push-notifications?status=waiting',
      state: 'with one that waits',
      ready: 'main figure',
      prepare: openFirst,
    },
    {
      path: '/partner/push-notifications?status=waiting',
      state: 'with one on confirmation of its change',
      ready: 'dl',
      async prepare(page, t) {
        await page
          .getByRole('link', { name: `${t.ui.edit}: ` })
          .first()
          .click();
        await page.getByRole('textbox', { name: t.pushNotifications.message }).fill('Looked at again');
        await submit(page);
      },
    },
    { path: '/partner/push-notifications?title=nobody', state: 'without a match', ready: 'main h2' },
    {
      path: '/partner/push-notifications?status=waiting',
      state: 'with one that is being delivered',
      ready: 'main [role=progressbar]',
      async prepare(page) {
        const calls = /\/push_notifications\/\d+$/;
        const reply = page.waitForResponse(calls);
        await openFirst(page);
        const waiting: object = await (await reply).json();
        const counts = { target_count: 50_000, success_count: 31_200, failure_count: 410 };
        const reasons = [{ reason: 'UNREGISTERED', count: 410 }];
        // The page asks again and again while devices are reached: no screen after this one asks for that.
        await page.route(calls, (route) =>
          route.fulfill({ json: { ...waiting, status: 'delivering', ...counts, failure_reasons: reasons } }),
        );
        await page.reload();
      },
    },
    { path: '/partner/certifications', ready: 'main h2, tbody th' },
    { path: '/partner/certifications/create', ready: 'form' },
    withErrors('/partner/certifications/create'),
    onConfirmation('/partner/certifications/create', async (page, t) => {
      await page.getByRole('textbox', { name: t.certificates.name }).fill('Looked at');
      await chooseKey(page);
    }),
    {
      path: '/partner/certifications/create',
      state: 'on completion',
      ready: 'main [role=status]',
      async prepare(page, t) {
        const name = `Looked at ${randomUUID()}`;
        await page.getByRole('textbox', { name: t.certificates.name }).fill(name);
        await chooseKey(page);
        await submit(page);
        await page.getByRole('button', { name: t.ui.create, exact: true }).click();
        await page.waitForURL('**/complete');
      },
    },
    {
      path: '/partner/certifications?name=Looked',
      state: 'asking before a deletion',
      ready: 'dialog',
      prepare: (page, t) => pressOnFirst(page, t.ui.delete),
    },
    {
      path: '/partner/certifications?name=Looked',
      state: 'with one of them',
      ready: 'main dl',
      prepare: openFirst,
    },
    {
      path: '/partner/certifications?name=Looked',
      state: 'with one that is edited',
      ready: 'input[type=file]',
      async prepare(page, t) {
        await page
          .getByRole('link', { name: `${t.ui.edit}: ` })
          .first()
          .click();
      },
    },
    { path: '/collections', state: 'without a database', ready: 'main h2', refused: '/api/v2/database' },
    ofDocuments('/collections', { ready: 'main dl' }),
    ofDocuments('/collections', {
      state: 'asking before the key is renewed',
      from: 'main dl',
      ready: 'dialog p, dialog div',
      prepare: (page, t) => page.getByRole('button', { name: t.documents.key.renew }).click(),
    }),
    ofDocuments('/collections', {
      state: 'making a collection',
      from: 'main dl',
      ready: 'dialog input',
      prepare: (page, t) => page.getByRole('button', { name: t.documents.newCollection }).first().click(),
    }),
    ofDocuments('/collections?name=orders'),
    ofDocuments('/collections?name=orders', {
      state: 'with suggestions for a filter',
      from: 'tbody th',
      ready: '[role=option]',
      async prepare(page, t) {
        await page.getByRole('textbox', { name: t.documents.filter.label }).click();
        await page.keyboard.type('stat');
      },
    }),
    ofDocuments('/collections?name=orders', {
      state: 'with a filter that cannot be',
      from: 'tbody th',
      ready: 'main [role=alert]',
      async prepare(page, t) {
        await writeCode(page, t.documents.filter.label, '{ status: { $where: 1 } }');
        await page.getByRole('button', { name: t.documents.filter.apply, exact: true }).click();
      },
    }),
    ofDocuments('/collections?name=orders', {
      state: 'with selected documents',
      from: 'tbody th',
      ready: 'tr[aria-selected=true]',
      prepare: selectAll,
    }),
    ofDocuments('/collections?name=orders&view=json', { ready: 'main pre' }),
    ofDocuments('/collections?name=orders&tab=indexes', { ready: 'main form' }),
    ofDocuments('/collections?name=events', { state: 'of an empty collection', ready: 'main h2 ~ div' }),
    ofDocuments('/collections?name=nothing', {
      state: 'of a collection that is not there',
      ready: 'main h2',
      refused: '/documents?per_page=50',
    }),
    ofDocuments('/collections?name=orders&document=order-1', {
      state: 'with an error at its line',
      from: 'dialog .cm-content',
      ready: 'dialog [role=alert]',
      async prepare(page, t) {
        await writeCode(page, t.documents.editTitle, '{\n  "$a": 1\n}');
        await page.getByRole('button', { name: t.documents.toReview }).click();
      },
    }),
    ofDocuments('/collections?name=orders&document=order-1', {
      state: 'before a change is saved',
      from: 'dialog .cm-content',
      ready: 'dialog .cm-deletedChunk',
      async prepare(page, t) {
        await writeCode(page, t.documents.editTitle, '{\n  "_id": "order-1",\n  "status": "open"\n}');
        await page.getByRole('button', { name: t.documents.toReview }).click();
      },
    }),
    ofDocuments('/collections?name=orders', {
      state: 'choosing what to import',
      from: 'tbody th',
      ready: 'dialog input[type=radio]',
      prepare: (page, t) =>
        page.getByRole('button', { name: t.documents.import.button, exact: true }).click(),
    }),
    ofDocuments('/collections?name=orders', {
      state: 'choosing what to export',
      from: 'tbody th',
      ready: 'dialog input[type=radio]',
      prepare: (page, t) =>
        page.getByRole('button', { name: t.documents.export.button, exact: true }).click(),
    }),
    ofDocuments('/collections?name=orders', {
      state: 'asking before all documents are deleted',
      from: 'tbody th',
      ready: 'dialog input',
      async prepare(page, t) {
        await page.getByRole('button', { name: t.ui.moreActions }).click();
        await page.getByRole('button', { name: t.documents.deleteAll }).click();
      },
    }),
    beforeSso('/partner/sso', {
      ready: 'main ol',
      // The last of what the page asks for.
      prepare: (page, t) => page.getByText(t.sso.tokens.empty).waitFor(),
    }),
    ...(['okta', 'google', 'keycloak'] as const).map((provider) =>
      beforeSso('/partner/sso', {
        state: `with the guide for ${provider}`,
        ready: '[role=tabpanel] ol',
        prepare: (page, t) => page.getByRole('tab', { name: t.ssoGuide[provider].name }).click(),
      }),
    ),
    beforeSso('/partner/sso', {
      state: 'asking for the name of a token',
      ready: 'dialog input',
      prepare: (page, t) => page.getByRole('button', { name: t.sso.tokens.create }).click(),
    }),
    beforeSso('/partner/sso', {
      state: 'with a token that is shown once',
      ready: 'dialog code',
      async prepare(page, t) {
        await page.getByRole('button', { name: t.sso.tokens.create }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('textbox').fill('Looked at');
        const calls = /\/partners\/1\/sso\/tokens$/;
        const json = { id: 1, token: 'Shown0nceAlone22-Shown0nceAlone22-Shown0nceAlone22' };
        await page.route(calls, (route) =>
          route.request().method() === 'POST' ? route.fulfill({ status: 201, json }) : route.fallback(),
        );
        await dialog.locator('button[type=submit]').click();
        await dialog.locator('code').waitFor();
        await page.unroute(calls);
      },
    }),
    {
      path: '/partner/sso',
      state: 'with what an admin has to mend, and all tokens',
      refused: '/sso',
      ready: 'main [role=note]',
      prepare: (page) => shownWith(page, ssoAnswers, '/partner/sso', 'main tbody th'),
    },
    {
      path: '/partner/sso',
      state: 'asking before a token is revoked',
      refused: '/sso',
      ready: 'dialog',
      async prepare(page, t) {
        await shownWith(page, ssoAnswers, '/partner/sso', 'main tbody th');
        await page.getByRole('button', { name: `${t.sso.tokens.revoke}: Entra ID` }).click();
      },
    },
    ...(['accepted', 'refused'] as const).map((state) => ({
      path: `/partner/sso/test?test=${testedId}`,
      state,
      ready: 'main dl',
      refused: `/${testedId}`,
      prepare: (page: Page) =>
        shownWith(page, [ssoTest(state)], `/partner/sso/test?test=${testedId}`, 'main dl'),
    })),
    {
      path: `/partner/sso/test?test=${testedId}`,
      state: 'of a test that is not there',
      ready: 'main [role=note]',
      refused: `/${testedId}`,
    },
    beforeSso('/partner/sso/edit', { ready: 'form' }),
    beforeSso('/partner/sso/edit', { state: 'with errors', ready: '[role=alert]', prepare: submit }),
    beforeSso('/partner/sso/edit', {
      state: 'with a file to choose, and groups',
      ready: '[role=option]',
      async prepare(page, t) {
        await page.getByRole('radio', { name: t.sso.sources.file }).check();
        await page.getByRole('combobox').click();
      },
    }),
    beforeSso('/partner/sso/edit', {
      state: 'on confirmation',
      ready: 'dl',
      async prepare(page, t) {
        await pasteMetadata(page, t);
        await submit(page);
      },
    }),
    beforeSso('/partner/sso/edit', {
      state: 'on completion',
      ready: 'main [role=status]',
      async prepare(page, t) {
        await pasteMetadata(page, t);
        await submit(page);
        const calls = /\/partners\/1\/sso$/;
        await page.route(calls, (route) =>
          route.request().method() === 'POST'
            ? route.fulfill({ status: 201, json: { id: 1 } })
            : route.fallback(),
        );
        await page.getByRole('button', { name: t.ui.save, exact: true }).click();
        await page.waitForURL('**/complete');
        await page.unroute(calls);
      },
    }),
    ...['/partner/users', '/partner/users/detail/?id=2&pn=Demo'].map((path) => ({
      path,
      state: 'with an inactive user',
      ready: 'main dl, tbody th',
      async prepare(page: Page, t: Texts) {
        const calls = /\/partners\/1\/users(?:\/2)?(?:\?.*)?$/;
        await page.route(calls, async (route) => {
          const response = await route.fetch();
          const body = (await response.text()).replaceAll('"active":true', '"active":false');
          await route.fulfill({ response, body });
        });
        await page.goto(path);
        await page.getByText(t.users.states.inactive).first().waitFor();
        await page.unroute(calls);
      },
    })),
    { path: '/partner/operation-logs', ready: 'table[aria-busy=false] tbody th' },
    {
      path: '/partner/operation-logs',
      state: 'with filters and details',
      ready: 'table dl',
      async prepare(page, t) {
        await openFilters(page, t);
        await page.locator('tbody button[aria-expanded]').first().click();
      },
    },
    { path: '/partner/operation-logs?q=nobody-at-all', state: 'where nothing matches', ready: 'main h2 ~ *' },
    {
      path: '/partner/operation-logs',
      state: 'with errors',
      ready: '[role=alert]',
      async prepare(page, t) {
        await page.getByLabel(t.operationLogs.start).fill('2026-02-02T00:00');
        await page.getByLabel(t.operationLogs.end).fill('2026-02-01T00:00');
        await submit(page);
      },
    },
    {
      path: '/partner/users',
      state: 'while a CSV is made',
      ready: '[role=progressbar]',
      async prepare(page, t) {
        await page.route('**/csv/batches/*', (route) =>
          route.fulfill({ json: { id: 1, status: 'processing', progress: 0.42, row_count: 42 } }),
        );
        await page.getByRole('button', { name: t.ui.csv, exact: true }).click();
      },
    },
    { path: '/partner/approvals', ready: 'main h2' },
    {
      path: '/partner/approvals',
      state: 'with requests',
      ready: 'tbody th',
      prepare: (page) => shownWith(page, [approvalList], '/partner/approvals', 'tbody th'),
    },
    // From the list: a request that the server does not know is asked for once its answer stands ready.
    ...approvalRows.map(({ id, state }) => ({
      path: '/partner/approvals',
      state: `one that is ${state}, ${id}`,
      ready: 'main dl',
      prepare: (page: Page) => openApproval(page, id),
    })),
    {
      path: '/partner/approvals',
      state: 'asking before one is approved',
      ready: 'dialog',
      async prepare(page, t) {
        await openApproval(page, 11);
        await page.getByRole('button', { name: t.approvals.approve.action }).click();
      },
    },
    { path: '/partner/delivery_settings', ready: 'main form' },
    {
      path: '/partner/delivery_settings',
      state: 'where two people decide',
      ready: 'main form',
      async prepare(page) {
        const settings = { versions_kept: 10, approval_required: true };
        await shownWith(
          page,
          [[/\/partners\/1\/delivery_settings$/, settings]],
          '/partner/delivery_settings',
          'main form',
        );
      },
    },
    {
      path: '/partner/delivery_settings',
      state: 'asking before fewer versions are kept',
      ready: 'dialog',
      async prepare(page, t) {
        await page.getByLabel(t.deliverySettings.versions.kept).fill('1');
        await submit(page);
      },
    },
    ...listStates('/partner/files', 'name=a'),
    { path: '/partner/files/create', ready: 'form' },
    withErrors('/partner/files/create'),
    onConfirmation('/partner/files/create', async (page) => {
      await page.locator('input[type=file]').setInputFiles({
        name: 'looked-at.uap',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('looked at'),
      });
    }),
    { path: '/partner/files/edit/?id=1&pn=Demo', ready: 'form' },
    onConfirmation('/partner/files/edit/?id=1&pn=Demo', async (page, t) => {
      await page.getByLabel(t.files.note).fill('Looked at');
    }),
    { path: '/partner/files/detail/?id=1&pn=Demo', ready: 'dl' },
    { path: '/partner/files/devices/?id=1&pn=Demo', ready: 'main h2, tbody th' },
    // All of these show a delivery that is under way.
    {
      path: '/partner/files/detail/?id=1&pn=Demo',
      state: 'with a delivery under way',
      ready: '[role=img]',
      async prepare(page) {
        await showDelivery(page);
        await page.reload();
      },
    },
    ...(['running', 'halted'] as const).map((state) => ({
      path: '/partner/files/detail/?id=1&pn=Demo',
      state: `with stages that are ${state}`,
      ready: 'ol[aria-label] [aria-current=step]',
      async prepare(page: Page) {
        await showDelivery(page);
        await showRollout(page, state);
        await page.reload();
      },
    })),
    {
      path: '/partner/files/detail/?id=1&pn=Demo',
      state: 'asking whether stages are to go on',
      ready: 'dialog button',
      // The demo has no stages, so nobody knows whom the next one reaches.
      refused: '/files/1/preview',
      async prepare(page, t) {
        await showRollout(page, 'halted');
        await page.reload();
        await page.getByRole('button', { name: t.rollout.actions.resume, exact: true }).click();
      },
    },
    {
      path: '/partner/files/detail/?id=1&pn=Demo',
      state: 'putting a version back at a time and in stages',
      ready: 'dialog ol',
      // The demo has one version, so there is none to put back.
      refused: '/files/1/preview',
      async prepare(page, t) {
        await showRollout(page, 'halted');
        await page.reload();
        await page.getByRole('button', { name: t.rollout.putBack.replace('{{version}}', '1') }).click();
        await page.getByRole('radio', { name: t.files.versions.moments.later }).check();
        await page.getByRole('radio', { name: t.rollout.ways.stages }).check();
      },
    },
    {
      path: '/partner/files/groups/?id=1&pn=Demo',
      state: 'with stages that are wrong',
      ready: 'form ol',
      async prepare(page, t) {
        await showRollout(page, 'none');
        await page.reload();
        await page.getByRole('radio', { name: t.rollout.ways.stages }).check();
        await page.getByRole('button', { name: t.rollout.editor.preset.pilot }).click();
        await submit(page);
      },
    },
    {
      path: '/partner/files/devices/?id=1&pn=Demo&status=failed&reason=a',
      state: 'of a delivery under way',
      ready: 'tbody th',
      async prepare(page, t) {
        await showDelivery(page);
        await page.reload();
        await openFilters(page, t);
      },
    },
    {
      path: '/partner/users/detail/?id=2&pn=Demo',
      state: 'with a delivery under way',
      ready: 'main dl',
      async prepare(page, t) {
        await showDelivery(page);
        await page.reload();
        await page.getByText(t.delivery.states.failed).first().waitFor();
      },
    },
    { path: '/partner/files/groups/?id=1&pn=Demo', ready: 'fieldset' },
    {
      path: '/partner/files/groups/?id=1&pn=Demo',
      state: 'asking for confirmation',
      ready: 'dialog',
      prepare: submit,
    },
  ],
};
