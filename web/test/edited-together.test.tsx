import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { confirmChange } from './confirm.ts';
import { renderApp } from './render-app.tsx';
import { group, onePage, server, tenant, tenantDetail, unit, user } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const company = '*/v1/partner/partners/7';

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
  /** What the client sends, of all the fields of the form. */
  readonly sent: object;
  /** How often the confirmation marks a change. */
  readonly marks?: number;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  server.use(
    http.get('*/v1/admin/outsourcing/units', () =>
      HttpResponse.json({ ...onePage(1), units: [unit(1, 'East')] }),
    ),
    http.get('*/v1/admin/outsourcing/units/1', () => HttpResponse.json(unit(1, 'East'))),
    http.get(`${company}/groups`, () =>
      HttpResponse.json({ ...onePage(2), groups: [group(3, 'Sales'), group(4, 'Field')] }),
    ),
    http.get('*/v1/admin/partners', () => HttpResponse.json({ ...onePage(1), partners: [tenant] })),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

/** What was asked for is no longer taken for new: the next page that needs it asks again. */
const later = () => vi.setSystemTime(Date.now() + 60_000);

const edited: readonly Edited[] = [
  {
    of: 'a company',
    signIn: () => signInAdmin(),
    form: '/admin/partners/edit/?id=2&pn=Sakura',
    api: '*/v1/admin/partners/2',
    record: { ...tenantDetail, license_expired_on: null, license_count: 100, comment: '' },
    theirs: { license_count: 200 },
    field: /^コメント/,
    typed: 'Ask Abe',
    sent: { comment: 'Ask Abe' },
  },
  {
    of: 'a user',
    signIn: () => signInPartner(),
    form: '/partner/users/edit/?id=12&pn=Sakura',
    api: `${company}/users/12`,
    record: user(12, 'Taro', { groups: [{ id: 3, name: 'Sales' }] }),
    theirs: {
      role: 1,
      json: '{}',
      groups: [
        { id: 3, name: 'Sales' },
        { id: 4, name: 'Field' },
      ],
    },
    field: /^名前/,
    typed: 'Jiro',
    sent: { name: 'Jiro' },
  },
];

describe.each(edited)('Saving $of that somebody else has changed meanwhile', (row) => {
  const { api, field, form, marks = 1, record, sent, signIn, theirs, typed } = row;
  let bodies: unknown[];
  let stored: object;
  let answers: number;

  beforeEach(async () => {
    bodies = [];
    stored = record;
    answers = 0;
    server.use(
      http.get(api, () => {
        answers += 1;
        return HttpResponse.json(stored);
      }),
      http.put(api, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json(stored);
      }),
    );
    await signIn();
  });

  it('sends what was changed in the form, and shows this alone as a change', async () => {
    const app = renderApp(form);
    const input = await screen.findByLabelText(field);
    await app.user.clear(input);
    await app.user.type(input, typed);
    stored = { ...record, ...theirs };
    later();
    const asked = answers;
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await screen.findByRole('heading', { level: 1, name: '内容の確認' });
    await waitFor(() => expect(answers).toBeGreaterThan(asked));
    expect(screen.getAllByText('変更あり')).toHaveLength(marks);
    await confirmChange(app.user, screen, '保存する');
    await waitFor(() => expect(bodies).toEqual([sent]));
  });

  it('does so too after a reload of the confirmation, and from the form that it leads back to', async () => {
    const app = renderApp(form);
    const input = await screen.findByLabelText(field);
    await app.user.clear(input);
    await app.user.type(input, typed);
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await screen.findByRole('heading', { level: 1, name: '内容の確認' });
    stored = { ...record, ...theirs };
    const again = app.reload();
    await screen.findByRole('heading', { level: 1, name: '内容の確認' });
    await confirmChange(again.user, screen, '修正する');
    await screen.findByLabelText(field);
    await again.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await screen.findByRole('heading', { level: 1, name: '内容の確認' });
    await waitFor(() => expect(screen.getAllByText('変更あり')).toHaveLength(marks));
    await confirmChange(again.user, screen, '保存する');
    await waitFor(() => expect(bodies).toEqual([sent]));
  });
});
