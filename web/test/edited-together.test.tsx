import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { confirmChange } from './confirm.ts';
import { type RenderedApp, renderApp } from './render-app.tsx';
import {
  application,
  file,
  group,
  notification,
  onePage,
  server,
  tenant,
  tenantDetail,
  unit,
  user,
} from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const company = '*/v1/partner/partners/7';
const asAdmin = () => signInAdmin();
const asPartner = () => signInPartner();
const created = { created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' };

interface Edited {
  readonly of: string;
  readonly signIn: () => Promise<void>;
  readonly form: string;
  readonly api: string;
  readonly record: object;
  /** What somebody else makes of it while the form is open. */
  readonly theirs: object;
  readonly field: RegExp;
  readonly typed: string;
  /** What is sent of all the fields of the form. */
  readonly sent: object;
}

const partner: Edited = {
  of: 'a company',
  signIn: asAdmin,
  form: '/admin/partners/edit/?id=2&pn=Sakura',
  api: '*/v1/admin/partners/2',
  record: { ...tenantDetail, license_expired_on: null, license_count: 100 },
  theirs: { license_count: 200 },
  field: /^コメント/,
  typed: 'Ask Abe',
  sent: { comment: 'Ask Abe' },
};

const edited: readonly Edited[] = [
  partner,
  {
    of: 'a user',
    signIn: asPartner,
    form: '/partner/users/edit/?id=12&pn=Sakura',
    api: `${company}/users/12`,
    record: user(12, 'Taro', { groups: [{ id: 3, name: 'Sales' }] }),
    theirs: { role: 1, json: '{}', groups: [] },
    field: /^名前/,
    typed: 'Jiro',
    sent: { name: 'Jiro' },
  },
  {
    of: 'a unit',
    signIn: asAdmin,
    form: '/admin/outsourcing/edit/?id=1&pn=East',
    api: '*/v1/admin/outsourcing/units/1',
    record: unit(1, 'East'),
    theirs: { allocated_license: 3000, can_force_distribute_app: false },
    field: /^ユニット名/,
    typed: 'West',
    sent: { name: 'West' },
  },
  {
    of: 'a platform administrator',
    signIn: asAdmin,
    form: '/admin/admins/edit/?id=3',
    api: '*/v1/admin/admins/3',
    record: {
      id: 3,
      name: 'Abe',
      email: 'abe@example.com',
      role: 127,
      two_factor: true,
      last_login_at: null,
      ...created,
    },
    theirs: { role: 1 },
    field: /^氏名/,
    typed: 'Baba',
    sent: { name: 'Baba' },
  },
  {
    of: 'a company admin',
    signIn: asPartner,
    form: '/partner/admins/edit/?id=13&pn=Sakura',
    api: `${company}/admins/13`,
    record: {
      id: 13,
      name: 'Abe',
      email: 'abe@example.com',
      login_user_id: null,
      two_factor: false,
      create_user_flag: false,
      last_login_at: null,
      ...created,
    },
    theirs: { email: 'baba@example.com' },
    field: /^名前/,
    typed: 'Baba',
    sent: { name: 'Baba' },
  },
  {
    of: 'a group',
    signIn: asPartner,
    form: '/partner/groups/edit/?id=3&pn=Sakura',
    api: `${company}/groups/3`,
    record: group(3, 'Sales'),
    theirs: { note: 'All of them', role: 1 },
    field: /^グループ名/,
    typed: 'Field',
    sent: { name: 'Field' },
  },
  {
    of: 'a notification',
    signIn: asPartner,
    form: '/partner/push-notifications/edit/?id=1&pn=Sakura',
    api: `${company}/push_notifications/1`,
    record: notification(1, { deliver_datetime: '2099-01-01T00:00:00Z' }),
    theirs: { message: 'Other', deliver_datetime: '2099-01-02T00:00:00Z' },
    field: /^タイトル/,
    typed: 'News',
    sent: { title: 'News' },
  },
  {
    of: 'an application',
    signIn: asAdmin,
    form: '/admin/applications/edit/?id=4',
    api: '*/v1/admin/applications/4',
    record: application,
    theirs: { all_deliver_flag: false, partners: [{ id: 2, name: 'Sakura' }], partner_count: 1 },
    field: /^アプリケーション名/,
    typed: 'Player',
    sent: { name: 'Player' },
  },
  {
    of: 'a file',
    signIn: asPartner,
    form: '/partner/files/edit/?id=1&pn=Sakura',
    api: `${company}/files/1`,
    record: { ...file(1, 'Tour'), signed_url: null },
    theirs: { note: 'For all', deliver_reservation_at: '2099-01-01T00:00:00Z' },
    field: /^名前/,
    typed: 'Trip',
    sent: { name: 'Trip' },
  },
  {
    of: 'single sign-on',
    signIn: asPartner,
    form: '/partner/sso/edit',
    api: `${company}/sso`,
    record: {
      login_url: null,
      metadata: btoa('<xml/>'),
      metadata_url: null,
      default_group: null,
      group_attribute: null,
      username_attribute: null,
      entity_id_suffix: null,
      use_sso_flag: true,
      sso_only: false,
      entity_id: 'https://portal.example.com/sso/1000',
      acs_url: 'https://portal.example.com/sso/acs',
      sp_metadata_url: 'https://portal.example.com/sso/metadata',
      certificate_expires_at: null,
      metadata_fetched_at: null,
      last_login_at: null,
      last_error: null,
      ...created,
    },
    theirs: { use_sso_flag: false, group_attribute: 'groups' },
    field: /^ログイン名の属性/,
    typed: 'mail',
    sent: { username_attribute: 'mail' },
  },
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  server.use(
    http.get('*/v1/admin/outsourcing/units', () =>
      HttpResponse.json({ ...onePage(1), units: [unit(1, 'East')] }),
    ),
    http.get('*/v1/admin/outsourcing/units/1', () => HttpResponse.json(unit(1, 'East'))),
    http.get('*/v1/admin/partners', () => HttpResponse.json({ ...onePage(1), partners: [tenant] })),
    http.get(`${company}/groups`, () => HttpResponse.json({ ...onePage(1), groups: [group(3, 'Sales')] })),
    http.post(`${company}/push_notifications/audience`, () =>
      HttpResponse.json({ users: 1, people: 1, devices: 1, sends: true }),
    ),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

/** A server with the record, which somebody else changes later; what it is sent, and how often it was asked. */
function serve({ api, record, theirs }: Edited) {
  let stored = record;
  const seen = { asked: 0, bodies: [] as unknown[] };
  server.use(
    http.get(api, () => {
      seen.asked += 1;
      return HttpResponse.json(stored);
    }),
    http.put(api, async ({ request }) => {
      seen.bodies.push(await request.json());
      return HttpResponse.json(stored);
    }),
  );
  return {
    seen,
    changeAll() {
      stored = { ...record, ...theirs };
      // What was asked for is no longer taken for new: the next page asks again.
      vi.setSystemTime(Date.now() + 60_000);
    },
  };
}

const confirmationOf = async ({ user: person }: RenderedApp) => {
  await person.click(screen.getByRole('button', { name: '確認へ進む' }));
  await screen.findByRole('heading', { level: 1, name: '内容の確認' });
};

async function typeIn({ user: person }: RenderedApp, { field, typed }: Edited) {
  const input = await screen.findByLabelText(field);
  await person.clear(input);
  await person.type(input, typed);
}

it.each(edited)('Saving $of undoes nothing that others have changed meanwhile', async (row) => {
  const { changeAll, seen } = serve(row);
  await row.signIn();
  const app = renderApp(row.form);
  await typeIn(app, row);
  changeAll();
  const { asked } = seen;
  await confirmationOf(app);
  await waitFor(() => expect(seen.asked).toBeGreaterThan(asked));
  await waitFor(() => expect(screen.getAllByText('変更あり')).toHaveLength(1));
  await confirmChange(app.user, screen, '保存する');
  await waitFor(() => expect(seen.bodies).toEqual([row.sent]));
});

it('So it is after a reload of the confirmation, and from the form that it leads back to', async () => {
  const { changeAll, seen } = serve(partner);
  await partner.signIn();
  const app = renderApp(partner.form);
  await typeIn(app, partner);
  await confirmationOf(app);
  changeAll();
  const again = app.reload();
  await confirmChange(again.user, screen, '修正する');
  await screen.findByLabelText(partner.field);
  await confirmationOf(again);
  expect(screen.getAllByText('変更あり')).toHaveLength(1);
  await confirmChange(again.user, screen, '保存する');
  await waitFor(() => expect(seen.bodies).toEqual([partner.sent]));
});

it('Nothing is sent of a form in which nothing was changed', async () => {
  const { seen } = serve(partner);
  await partner.signIn();
  const app = renderApp(partner.form);
  await screen.findByLabelText(partner.field);
  await confirmationOf(app);
  await confirmChange(app.user, screen, '保存する');
  await waitFor(() => expect(seen.bodies).toEqual([{}]));
});
