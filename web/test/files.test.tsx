import { createHash } from 'node:crypto';
import { formatDateTime, limits } from '@portal/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../src/lib/i18n.ts';
import { leaveGuard } from '../src/lib/unsaved-work.ts';
import { openAccountMenu } from './account-menu.ts';
import { confirmChange } from './confirm.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { effect, failure, file, group, partnerReply, server, storageUse, summary } from './server.ts';

const base = '*/v1/partner/partners/7/files';
const at = (hoursAhead: number) => formatDateTime(new Date(Date.now() + hoursAhead * 3_600_000));
/** As `datetime-local` holds it, in the zone of the machine. */
const local = (hoursAhead: number) => {
  const time = new Date(Date.now() + hoursAhead * 3_600_000);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const listOf = (...files: object[]) =>
  HttpResponse.json({ current_page: 1, total_page: 1, total_count: files.length, files });

const detail = (id: number, name: string, more: object = {}) =>
  http.get(`${base}/${id}`, () => HttpResponse.json({ ...file(id, name, more), signed_url: '/storage/x' }));

const uploadInfo = (uploadId: string) => ({
  upload_id: uploadId,
  signed_url: '/storage/whole',
  part_size: 4,
  expires_at: at(1),
  storage: { region: '', aws_key: '', bucket_name: '', bucket_dir: '', signer_url: '' },
});

const uploadOf = (more: object = {}) => ({
  upload_id: 'u9',
  file_name: 'tour.uap',
  file_size: 10,
  stored_bytes: 0,
  last_part_at: at(0),
  fingerprint: null,
  ...more,
});

/** A storage of parts; the bytes go to the given handler. */
function storage() {
  const parts = new Map<number, number>();
  const state = { status: 'uploading', parts, aborted: [] as string[], put: [] as number[], connected: true };
  server.use(
    http.post('*/v1/uploads/:id/parts', async ({ request }) => {
      const { part_numbers } = (await request.json()) as { part_numbers: number[] };
      return HttpResponse.json({
        parts: part_numbers.map((number) => ({
          part_number: number,
          signed_url: `http://portal.test/storage/part/${number}`,
        })),
      });
    }),
    http.get('*/v1/uploads/:id', () =>
      HttpResponse.json({
        status: state.status,
        part_size: 4,
        parts: [...parts].map(([part_number, size]) => ({ part_number, size, etag: `e${part_number}` })),
      }),
    ),
    http.put('*/storage/part/:number', async ({ request, params }) => {
      if (!state.connected) return new HttpResponse(null, { status: 503 });
      const number = Number(params.number);
      state.put.push(number);
      parts.set(number, (await request.arrayBuffer()).byteLength);
      return new HttpResponse(null, { headers: { etag: `e${number}` } });
    }),
    http.post('*/v1/uploads/:id/complete', () => {
      state.status = 'complete';
      return HttpResponse.json({});
    }),
    http.delete('*/v1/uploads/:id', ({ params }) => {
      state.aborted.push(String(params.id));
      return HttpResponse.json({});
    }),
  );
  return state;
}

async function open(path: string, role = partnerReply.user.role): Promise<RenderedApp> {
  server.use(
    http.post('*/partner/login', () =>
      HttpResponse.json({ ...partnerReply, user: { ...partnerReply.user, role } }),
    ),
  );
  localStorage.setItem('code', '1000');
  const app = renderApp(path);
  await app.user.type(await screen.findByLabelText(/メールアドレスまたはユーザーID/), 'hanako@example.com');
  await app.user.type(screen.getByLabelText(/^パスワード必須/), 'password1');
  await app.user.click(screen.getByRole('button', { name: 'ログイン' }));
  return app;
}

const row = async (name: string) => (await screen.findByRole('link', { name })).closest('tr') as HTMLElement;

describe('the list of files', () => {
  it('shows state, reservations, groups and size in words', async () => {
    server.use(
      http.get(base, () =>
        listOf(
          file(1, 'Tour', { state: 'delivered', groups: [{ id: 0, name: '' }] }),
          file(2, 'Later', {
            state: 'reserved',
            deliver_reservation_at: at(48),
            groups: [{ id: 3, name: 'Sales' }],
          }),
          file(3, 'Fresh', {
            upload_status: 'uploading',
            state: 'uploading',
            upload: uploadOf({ stored_bytes: 4 }),
          }),
          file(4, 'Next', {
            state: 'update_reserved',
            deliver_reservation_at: at(-48),
            update_reservation_at: at(48),
            groups: [{ id: 3, name: 'Sales' }],
          }),
          file(5, 'Alone'),
          file(6, 'Broken', {
            upload_status: 'uploading',
            state: 'interrupted',
            upload: uploadOf({ stored_bytes: 2048, file_size: 4096, last_part_at: at(-1) }),
          }),
        ),
      ),
    );
    await open('/partner/files');
    const tour = await row('Tour');
    expect(tour.textContent).toContain('配信済み');
    expect(tour.textContent).toContain('全員');
    expect(tour.textContent).toContain('1 KB');
    const later = await row('Later');
    expect(later.textContent).toMatch(/配信予約.*から/);
    expect(later.textContent).toContain('Sales');
    expect((await row('Fresh')).textContent).toContain('アップロード中');
    const next = await row('Next');
    expect(next.textContent).toMatch(/配信済み.*から/);
    expect(next.textContent).toContain('更新予約');
    const download = screen.getByRole('button', { name: 'ダウンロード: Fresh' });
    expect(download.hasAttribute('disabled')).toBe(true);
    const alone = await row('Alone');
    expect(alone.textContent).toContain('配信先なし');
    expect(alone.textContent).not.toContain('配信済み');
    const assign = within(alone).getByRole('link', { name: '配信先を設定' });
    expect(assign.getAttribute('href')).toBe('/partner/files/groups/?id=5&pn=Sakura');
    const broken = await row('Broken');
    expect(broken.textContent).toContain('アップロード中断');
    expect(broken.textContent).toContain('2 KB / 4 KB 送信済み');
    const resume = within(broken).getByRole('link', { name: 'アップロードを再開: Broken' });
    expect(resume.getAttribute('href')).toBe('/partner/files/edit/?id=6&pn=Sakura');
    expect(screen.queryByRole('link', { name: 'アップロードを再開: Fresh' })).toBeNull();
  });

  it('says what has become of each on its devices, where somebody is to have it', async () => {
    const delivery = { devices: 12, installed: 7, on_the_way: 2, failed: 3, not_yet: 0 };
    server.use(
      http.get(base, () =>
        listOf(file(1, 'Tour', { state: 'delivered', delivery }), file(2, 'Map', { state: 'nobody' })),
      ),
    );
    await open('/partner/files');
    expect((await row('Tour')).textContent).toContain('インストール済み 7、配信中 2、失敗 3');
    expect((await row('Map')).textContent).not.toContain('インストール済み');
  });

  it('looks for what is typed and filters by states, both in the address', async () => {
    const asked: URLSearchParams[] = [];
    server.use(
      http.get(base, ({ request }) => {
        const query = new URL(request.url).searchParams;
        // With a filter, the number of all files is asked for as well.
        if (query.get('per_page') !== '1') asked.push(query);
        return listOf(file(1, 'Tour'));
      }),
    );
    const { user } = await open('/partner/files?state=gone');
    await row('Tour');
    expect(asked.at(-1)?.has('state')).toBe(false);
    await user.type(screen.getByRole('searchbox'), ' 100% {Enter}');
    await waitFor(() => expect(asked.at(-1)?.get('q')).toBe('100%'));
    const states = within(screen.getByRole('group', { name: '状態で絞り込む' }));
    await user.click(states.getByRole('button', { name: '配信先なし' }));
    await user.click(states.getByRole('button', { name: '下書き' }));
    expect(states.getByRole('button', { name: '下書き' }).getAttribute('aria-pressed')).toBe('true');
    await waitFor(() => expect(asked.at(-1)?.get('state')).toBe('draft,nobody'));
    expect(new URL(address(), 'http://portal.test').searchParams.get('state')).toBe('draft,nobody');
    await user.click(states.getByRole('button', { name: '配信先なし' }));
    await waitFor(() => expect(asked.at(-1)?.get('state')).toBe('draft'));
    await user.clear(screen.getByRole('searchbox'));
    await waitFor(() => expect(asked.at(-1)?.has('q')).toBe(false));
    expect(asked.at(-1)?.get('state')).toBe('draft');
  });

  it('is told when it is empty, and in English', async () => {
    server.use(http.get(base, () => listOf()));
    await open('/partner/files');
    expect(await screen.findByText('ファイルはまだありません')).toBeTruthy();
    await changeLanguage('en');
    expect(await screen.findByText('There are no files yet')).toBeTruthy();
  });

  it('that fails says why, and can be tried again', async () => {
    let fails = true;
    server.use(http.get(base, () => (fails ? failure('E50001', '失敗しました') : listOf(file(1, 'Tour')))));
    const { user } = await open('/partner/files');
    expect(await screen.findByText('失敗しました')).toBeTruthy();
    expect(screen.getByText('request-1')).toBeTruthy();
    fails = false;
    await user.click(screen.getByRole('button', { name: '再試行' }));
    await row('Tour');
  });

  it('keeps filters and sort in the address and asks the server by them', async () => {
    const asked: URL[] = [];
    server.use(
      http.get(base, ({ request }) => {
        asked.push(new URL(request.url));
        return listOf(file(1, 'Tour'));
      }),
    );
    const { user } = await open('/partner/files?note=spring');
    await row('Tour');
    await user.click(screen.getByRole('button', { name: '検索条件' }));
    await user.type(await screen.findByLabelText('名前'), 'tour');
    await user.click(await screen.findByRole('button', { name: '検索' }));
    await user.click(screen.getByRole('button', { name: '名前' }));
    await waitFor(() => expect(address()).toBe('/partner/files?note=spring&name=tour&orderKey=name'));
    await waitFor(() => {
      const query = asked.at(-1)?.searchParams;
      expect(query?.get('name')).toBe('tour');
      expect(query?.get('note')).toBe('spring');
      expect(query?.get('order_key')).toBe('name');
      expect(query?.get('include_icon_url')).toBe('true');
    });
  });

  it('names the files before it deletes them', async () => {
    const deleted: string[] = [];
    server.use(
      http.get(base, () => listOf(...[file(1, 'Tour'), file(2, 'Guide')].slice(deleted.length))),
      http.delete(`${base}/:id`, ({ params }) => {
        deleted.push(String(params.id));
        return HttpResponse.json({});
      }),
    );
    const { user } = await open('/partner/files');
    await row('Tour');
    await user.click(screen.getByRole('checkbox', { name: '「Tour」を選択' }));
    await user.click(screen.getByRole('checkbox', { name: '「Guide」を選択' }));
    await user.click(
      within(screen.getByRole('region', { name: '選択した行の操作' })).getByRole('button', { name: '削除' }),
    );
    const dialog = await screen.findByRole('dialog', { name: 'ファイルを削除しますか？' });
    expect(within(dialog).getByText('Tour')).toBeTruthy();
    expect(within(dialog).getByText('Guide')).toBeTruthy();
    expect(deleted).toEqual([]);
    await confirmChange(user, within(dialog), '削除');
    expect(await screen.findByText('2件のファイルを削除しました。')).toBeTruthy();
    expect(deleted).toEqual(['1', '2']);
  });

  it('steps back when the last file of the last page is gone', async () => {
    let total = 11;
    server.use(
      http.get(base, ({ request }) => {
        const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
        return HttpResponse.json({
          current_page: page,
          total_page: Math.ceil(total / 10),
          total_count: total,
          files: page === 2 ? (total > 10 ? [file(11, 'Last')] : []) : [file(1, 'First')],
        });
      }),
      http.delete(`${base}/11`, () => {
        total = 10;
        return HttpResponse.json({});
      }),
    );
    const { user } = await open('/partner/files?page=2');
    await row('Last');
    await user.click(screen.getByRole('button', { name: '削除: Last' }));
    await confirmChange(user, within(await screen.findByRole('dialog')), '削除');
    await row('First');
    expect(address()).toBe('/partner/files');
  });
});

const chosen = (name = 'guide.uap', bytes = '0123456789') => new File([bytes], name);

async function fillCreate({ user }: RenderedApp, upload = chosen()) {
  await user.upload(await screen.findByLabelText('ファイル', { selector: 'input' }), upload);
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
}

const groupChoices = http.get('*/v1/partner/partners/7/groups', () =>
  HttpResponse.json({
    groups: [
      { id: 3, name: 'Sales', role: 0 },
      { id: 4, name: 'Leads', role: 268_435_456 },
    ],
  }),
);

/** Counts who is in groups: as many users as the ids add up to, with two devices each. */
const audience = http.post('*/v1/partner/partners/7/audience', async ({ request }) => {
  const { group_ids } = (await request.json()) as { group_ids: number[] };
  const users = group_ids.reduce((sum, id) => sum + id, 0);
  return HttpResponse.json({ users, devices: 2 * users });
});

/** Whether somebody has a certificate to send pushes with. */
let sends = true;
beforeEach(() => {
  sends = true;
});
const pushAudience = http.post('*/v1/partner/partners/7/push_notifications/audience', () =>
  HttpResponse.json({ users: 9, people: 5, devices: 6, sends }),
);

const publish = async ({ user }: RenderedApp) =>
  user.click(await screen.findByRole('button', { name: 'アップロードする' }));

const uploadsPanel = async () => within(await screen.findByRole('region', { name: 'アップロード' }));

describe('creating a file', () => {
  let stored: ReturnType<typeof storage>;
  let created: { name: string }[];
  let assigned: unknown[];

  beforeEach(() => {
    stored = storage();
    created = [];
    assigned = [];
    server.use(
      groupChoices,
      audience,
      pushAudience,
      http.get(base, () => listOf(file(1, 'Tour'))),
      http.post(base, async ({ request }) => {
        const body = (await request.json()) as { name: string };
        created.push(body);
        const id = 8 + created.length;
        return HttpResponse.json({ id, partner_file_id: id, ...uploadInfo(`u${id}`) }, { status: 201 });
      }),
      http.get(`${base}/:id`, ({ params }) => {
        const id = Number(params.id);
        if (stored.aborted.includes(`u${id}`)) return failure('E40405', 'ありません');
        const isComplete = stored.status === 'complete';
        return HttpResponse.json({
          ...file(id, created[id - 9]?.name ?? 'Tour', {
            upload_status: isComplete ? 'complete' : 'uploading',
            state: isComplete ? 'nobody' : 'uploading',
            upload: isComplete
              ? null
              : uploadOf({ upload_id: `u${id}`, file_name: 'guide.uap', stored_bytes: 4 }),
          }),
          signed_url: null,
        });
      }),
      http.put(`${base}/:id/groups`, async ({ params, request }) => {
        assigned.push({ id: Number(params.id), state: stored.status, ...((await request.json()) as object) });
        return HttpResponse.json({});
      }),
    );
  });

  it('asks for the file, and refuses what is no package', async () => {
    const app = await open('/partner/files/create');
    await app.user.click(await screen.findByRole('button', { name: '確認へ進む' }));
    expect(
      (await screen.findAllByText(/パッケージファイルが未選択です。添付してください。/)).length,
    ).toBeGreaterThan(0);
    const input = screen.getByLabelText('ファイル', { selector: 'input' });
    input.removeAttribute('accept');
    await app.user.upload(input, chosen('notes.txt'));
    expect(
      (await screen.findAllByText(/\.uapまたは\.ufpzファイルを指定してください。/)).length,
    ).toBeGreaterThan(0);
  });

  it('registers, uploads in parts, and leads to the groups', async () => {
    const app = await open('/partner/files/create');
    await fillCreate(app);
    await publish(app);
    expect(await screen.findByText(/ファイル「guide」を登録しました。/)).toBeTruthy();
    expect(created).toEqual([
      {
        name: 'guide',
        note: '',
        file_name: 'guide.uap',
        file_size: 10,
        fingerprint: createHash('sha256').update('0123456789').digest('hex'),
        deliver_reservation_at: null,
      },
    ]);
    expect([...stored.parts].sort()).toEqual([
      [1, 4],
      [2, 4],
      [3, 2],
    ]);
    const next = await screen.findByRole('link', { name: '配信グループの設定' });
    expect(next.getAttribute('href')).toBe('/partner/files/groups/?id=9&pn=Sakura');
    expect(assigned).toEqual([]);
    const panel = await uploadsPanel();
    expect(panel.getByRole('link', { name: 'guide' }).getAttribute('href')).toBe(
      '/partner/files/detail/?id=9&pn=Sakura',
    );
    await app.user.click(panel.getByRole('button', { name: 'アップロードの一覧を閉じる' }));
    expect(screen.queryByRole('region', { name: 'アップロード' })).toBeNull();
    // Nothing of it is left in the browser.
    expect(Object.keys(localStorage).filter((key) => key.includes('upload'))).toEqual([]);
  });

  it('asks for groups where some are to get it, and counts whom they reach', async () => {
    const app = await open('/partner/files/create');
    await app.user.upload(await screen.findByLabelText('ファイル', { selector: 'input' }), chosen());
    await app.user.click(screen.getByRole('radio', { name: 'グループを選んで配信する' }));
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    const summary = within(await screen.findByRole('alert'));
    const link = summary.getByRole('link', { name: 'グループ: グループを選択してください。' });
    await app.user.click(link);
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Sales（一般）' }));
    await app.user.click(screen.getByRole('checkbox', { name: 'Sales（一般）' }));
    expect(await screen.findByText('届く相手: 3人（端末 6台）')).toBeTruthy();
    await app.user.click(screen.getByRole('checkbox', { name: 'Leads（管理者）' }));
    expect(await screen.findByText('届く相手: 7人（端末 14台）')).toBeTruthy();
    expect(screen.queryByText('グループを選択してください。')).toBeNull();
  });

  it('is not for a group that has gone meanwhile, and asks for another where none is left', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const app = await open('/partner/files/create');
      await app.user.upload(await screen.findByLabelText('ファイル', { selector: 'input' }), chosen());
      await app.user.click(screen.getByRole('radio', { name: 'グループを選んで配信する' }));
      await app.user.click(await screen.findByRole('checkbox', { name: 'Sales（一般）' }));
      server.use(
        http.get('*/v1/partner/partners/7/groups', () =>
          HttpResponse.json({ groups: [{ id: 4, name: 'Leads', role: 268_435_456 }] }),
        ),
      );
      vi.setSystemTime(Date.now() + 60_000);
      window.dispatchEvent(new Event('visibilitychange'));
      await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Sales（一般）' })).toBeNull());
      await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
      await screen.findByRole('link', { name: 'グループ: グループを選択してください。' });
      await app.user.click(screen.getByRole('checkbox', { name: 'Leads（管理者）' }));
      await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
      await publish(app);
      await waitFor(() => expect(assigned).toMatchObject([{ group_ids: [4] }]));
    } finally {
      vi.useRealTimers();
    }
  });

  it('assigns the groups once all bytes are there, with the time and the mail that were chosen', async () => {
    const app = await open('/partner/files/create');
    await app.user.upload(await screen.findByLabelText('ファイル', { selector: 'input' }), chosen());
    await app.user.click(screen.getByRole('radio', { name: 'グループを選んで配信する' }));
    await app.user.click(await screen.findByRole('checkbox', { name: 'Sales（一般）' }));
    await app.user.click(screen.getByRole('checkbox', { name: /メールで通知する/ }));
    await app.user.click(screen.getByRole('checkbox', { name: 'プッシュ通知で知らせる' }));
    await setTime(/^配信予約日時/, local(24));
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    expect(await screen.findByText(/Sales（一般）/)).toBeTruthy();
    expect(await screen.findByText('届く相手: 3人（端末 6台）')).toBeTruthy();
    expect(await screen.findByText('メール、プッシュ通知')).toBeTruthy();
    expect(created).toEqual([]);
    await publish(app);
    expect(await screen.findByText('アップロードが完了し、配信グループを設定しました。')).toBeTruthy();
    expect(created).toEqual([
      expect.objectContaining({ deliver_reservation_at: formatDateTime(new Date(local(24))) }),
    ]);
    expect(assigned).toEqual([
      { id: 9, state: 'complete', group_ids: [3], notify_email: true, notify_push: true },
    ]);
  });

  it('says what stands when the groups cannot be assigned, and goes on when asked', async () => {
    let fails = true;
    server.use(
      http.put(`${base}/9/groups`, () => {
        if (fails) return failure('E40404', 'グループが見つかりません。');
        assigned.push(9);
        return HttpResponse.json({});
      }),
    );
    const app = await open('/partner/files/create');
    await app.user.upload(await screen.findByLabelText('ファイル', { selector: 'input' }), chosen());
    await app.user.click(screen.getByRole('radio', { name: /^全員に配信する/ }));
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await publish(app);
    expect(await screen.findByText(/まだ誰にも配信されていません。 グループが見つかりません。/)).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'アップロードが止まっています' })).toBeTruthy();
    fails = false;
    const panel = await uploadsPanel();
    expect(panel.getByRole('link', { name: '配信グループの設定' })).toBeTruthy();
    await app.user.click(panel.getByRole('button', { name: '再試行' }));
    await waitFor(() => expect(assigned).toEqual([9]));
    expect(await screen.findByText(/ファイル「guide」を登録しました。/)).toBeTruthy();
  });

  it('leaves the groups that somebody else has given it meanwhile', async () => {
    server.use(
      http.get(`${base}/9`, () =>
        HttpResponse.json({ ...file(9, 'guide', { groups: [{ id: 4, name: 'Leads' }] }), signed_url: null }),
      ),
    );
    const app = await open('/partner/files/create');
    await app.user.upload(await screen.findByLabelText('ファイル', { selector: 'input' }), chosen());
    await app.user.click(screen.getByRole('radio', { name: /^全員に配信する/ }));
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await publish(app);
    expect(await screen.findByText(/ファイル「guide」を登録しました。/)).toBeTruthy();
    expect(assigned).toEqual([]);
  });

  it('makes an upload of each of several files, and keeps what is refused in the form', async () => {
    server.use(
      http.post(base, async ({ request }) => {
        const body = (await request.json()) as { name: string; file_name: string };
        if (body.file_name === 'taken.uap')
          return failure('E40026', '使用されています', [
            { field: 'file_name', message: 'この名前は使用中です' },
          ]);
        created.push(body);
        const id = 8 + created.length;
        return HttpResponse.json({ id, partner_file_id: id, ...uploadInfo(`u${id}`) }, { status: 201 });
      }),
    );
    const app = await open('/partner/files/create');
    const input = await screen.findByLabelText('ファイル', { selector: 'input' });
    await app.user.upload(input, [chosen(), chosen('taken.uap'), chosen('manual.ufpz')]);
    const typed = screen.getByLabelText(/^「manual\.ufpz」の名前/);
    await app.user.clear(typed);
    await app.user.type(typed, 'Manual 2');
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await screen.findByText('ファイル（3件）');
    await publish(app);
    await waitFor(() => expect(address()).toBe('/partner/files/create'));
    expect(
      await screen.findByText('2件のアップロードを開始しました。残りのファイルは登録できていません。'),
    ).toBeTruthy();
    await app.user.click(await screen.findByRole('link', { name: 'taken.uap: この名前は使用中です' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'ファイルを外す: taken.uap' }));
    expect((screen.getByLabelText(/^名前/) as HTMLInputElement).value).toBe('taken');
    expect(created.map(({ name }) => name)).toEqual(['guide', 'Manual 2']);
    const panel = await uploadsPanel();
    expect(await panel.findByRole('link', { name: 'Manual 2' })).toBeTruthy();
    expect(await panel.findByRole('link', { name: 'guide' })).toBeTruthy();
  });

  it('begins with what was dropped on the list', async () => {
    await open('/partner/files');
    const table = (await row('Tour')).closest('table') as HTMLElement;
    const { fireEvent } = await import('@testing-library/react');
    const dataTransfer = { types: ['Files'], files: [chosen(), chosen('manual.ufpz')] };
    fireEvent.dragEnter(table, { dataTransfer });
    expect(screen.getByText('ここにドロップして登録')).toBeTruthy();
    fireEvent.drop(table, { dataTransfer });
    await waitFor(() => expect(address()).toBe('/partner/files/create'));
    expect((await screen.findByLabelText(/^「guide\.uap」の名前/)) as HTMLInputElement).toHaveProperty(
      'value',
      'guide',
    );
    expect(screen.getByLabelText(/^「manual\.ufpz」の名前/)).toHaveProperty('value', 'manual');
  });

  it('that is refused leads back to the form, with the message at the file', async () => {
    server.use(
      http.post(base, () =>
        failure('E40026', '使用されています', [{ field: 'file_name', message: 'この名前は使用中です' }]),
      ),
    );
    const app = await open('/partner/files/create');
    await fillCreate(app);
    await publish(app);
    await waitFor(() => expect(address()).toBe('/partner/files/create'));
    expect((await screen.findAllByText(/この名前は使用中です/)).length).toBe(2);
    expect(screen.getByText('guide.uap')).toBeTruthy();
  });

  it('whose bytes are refused says why, and can be taken back', async () => {
    server.use(
      http.post('*/v1/uploads/:id/complete', () =>
        failure('E40002', '不正', [{ field: 'file', message: 'サイズが一致しません' }]),
      ),
    );
    const app = await open('/partner/files/create');
    await fillCreate(app);
    await publish(app);
    const panel = await uploadsPanel();
    expect(await panel.findByText('サイズが一致しません')).toBeTruthy();
    await app.user.click(panel.getByRole('button', { name: '中止: guide' }));
    await app.user.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'アップロードを中止' }),
    );
    await waitFor(() => expect(stored.aborted).toEqual(['u9']));
  });

  it('goes on after a reload with the same file, the parts that are stored, and the groups that were chosen', async () => {
    stored.connected = false;
    const app = await open('/partner/files/create');
    await app.user.upload(await screen.findByLabelText('ファイル', { selector: 'input' }), chosen());
    await app.user.click(screen.getByRole('radio', { name: /^全員に配信する/ }));
    await app.user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await publish(app);
    expect(await screen.findByText(/接続が切れました/)).toBeTruthy();
    stored.connected = true;
    stored.parts.set(1, 4);

    const again = app.reload();
    const panel = await uploadsPanel();
    expect(await panel.findByText('途中で止まっています。4 B / 10 B 送信済みです。')).toBeTruthy();
    expect(screen.queryByText(/接続が切れました/)).toBeNull();
    const input = panel.getByLabelText('ファイルを選んで再開: guide', { selector: 'input' });
    await again.user.upload(input, chosen('other.uap'));
    expect(await panel.findByText(/途中のファイルと異なります/)).toBeTruthy();
    expect(stored.put).toEqual([]);
    await again.user.upload(input, chosen());
    expect(await panel.findByText('アップロードが完了し、配信グループを設定しました。')).toBeTruthy();
    expect(created.length).toBe(1);
    expect(stored.put.sort()).toEqual([2, 3]);
    expect(assigned).toEqual([
      { id: 9, state: 'complete', group_ids: [0], notify_email: false, notify_push: false },
    ]);
  });

  it('goes on while one moves through the portal, and warns who leaves it', async () => {
    stored.connected = false;
    const app = await open('/partner/files/create');
    await fillCreate(app);
    await publish(app);
    await screen.findByText(/接続が切れました/);
    await app.user.click((await screen.findAllByRole('link', { name: 'グループ' }))[0] as HTMLElement);
    await screen.findByRole('heading', { level: 1, name: 'グループ' });
    await waitFor(() => expect(document.activeElement?.id).toBe('main'));
    // The databases have their own address within the portal.
    server.use(http.get('*/api/v2/database', () => failure('E40401', '見つかりません。')));
    await app.user.click((await screen.findAllByRole('link', { name: 'ドキュメントDB' }))[0] as HTMLElement);
    await screen.findByRole('heading', { name: 'データベースはまだありません' });
    expect(leaveGuard('/signup')?.leaveLabel).toBe('中断して移動');
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);

    await openAccountMenu(app.user);
    await app.user.click(screen.getByRole('button', { name: 'ログアウト' }));
    const dialog = await screen.findByRole('dialog', { name: 'アップロードを中断しますか？' });
    expect(dialog.textContent).toContain('ページを移動するとアップロードは中断されます。');
    within(dialog).getByRole('button', { name: '中断してログアウト' });
    await app.user.click(within(dialog).getByRole('button', { name: 'アップロードを続ける' }));
    stored.connected = true;
    window.dispatchEvent(new Event('online'));
    const panel = await uploadsPanel();
    expect(await panel.findByText('アップロードが完了しました。')).toBeTruthy();
    expect(address()).toBe('/collections');
    expect(stored.aborted).toEqual([]);
  });

  it('that is cancelled, after asking, is taken back on the server', async () => {
    stored.connected = false;
    const app = await open('/partner/files/create');
    await fillCreate(app);
    await publish(app);
    await app.user.click(await screen.findByRole('button', { name: '中止: guide' }));
    const dialog = screen.getByRole('dialog', { name: 'アップロードを中止しますか？' });
    await app.user.click(within(dialog).getByRole('button', { name: 'アップロードを中止' }));
    await waitFor(() => expect(stored.aborted).toEqual(['u9']));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'アップロード' })).toBeNull());
    await waitFor(() => expect(address()).toBe('/partner/files'));
    await row('Tour');
  });

  it('that is complete by the time it is cancelled goes on, and says that it was too late', async () => {
    stored.connected = false;
    server.use(
      http.delete('*/v1/uploads/:id', () => {
        stored.status = 'complete';
        return failure('E40034', 'ステータスが不正です。');
      }),
    );
    const app = await open('/partner/files/create');
    await fillCreate(app);
    await publish(app);
    await app.user.click(await screen.findByRole('button', { name: '中止: guide' }));
    const dialog = screen.getByRole('dialog', { name: 'アップロードを中止しますか？' });
    await app.user.click(within(dialog).getByRole('button', { name: 'アップロードを中止' }));
    expect(await screen.findByText(/「guide」はすでに送信が完了しているため/)).toBeTruthy();
    expect(await (await uploadsPanel()).findByText('アップロードが完了しました。')).toBeTruthy();
  });

  it('asks no more whether to cancel it once all of it is sent', async () => {
    const verified = Promise.withResolvers<void>();
    stored.connected = false;
    server.use(
      http.post('*/v1/uploads/:id/complete', async () => {
        await verified.promise;
        stored.status = 'complete';
        return HttpResponse.json({});
      }),
    );
    const app = await open('/partner/files/create');
    await fillCreate(app);
    await publish(app);
    await app.user.click(await screen.findByRole('button', { name: '中止: guide' }));
    screen.getByRole('dialog', { name: 'アップロードを中止しますか？' });
    stored.connected = true;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await uploadsPanel()).queryByRole('button', { name: '中止: guide' })).toBeNull();
    verified.resolve();
    expect(await (await uploadsPanel()).findByText('アップロードが完了しました。')).toBeTruthy();
  });
});

const setTime = async (label: RegExp, value: string) => {
  const { fireEvent } = await import('@testing-library/react');
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};

describe('the details of a file', () => {
  beforeEach(() => {
    server.use(http.get('*/operation_logs', () => HttpResponse.json({ operation_logs: [], next: null })));
  });

  it('tell who gets it, and when it changes', async () => {
    server.use(
      http.get(`${base}/1`, () =>
        HttpResponse.json({
          ...file(1, 'Tour', {
            state: 'update_reserved',
            sha256: 'abc123',
            groups: [
              { id: 0, name: 'Everyone' },
              { id: 3, name: 'Sales' },
            ],
            update_reservation_at: at(48),
            update_reservation_file_name: 'tour.uap',
          }),
          signed_url: 'http://portal.test/storage/tour',
        }),
      ),
    );
    await open('/partner/files/detail/?id=1&pn=Sakura');
    const audience = within(await screen.findByRole('region', { name: '配信先' }));
    expect(audience.getByText(/更新予約日時から新しいバージョンになります/)).toBeTruthy();
    expect(audience.getByText('全員')).toBeTruthy();
    const group = audience.getByRole('link', { name: 'Sales' });
    expect(group.getAttribute('href')).toContain('id=3');
    expect(screen.getByText('abc123')).toBeTruthy();
    const reservations = within(screen.getByRole('region', { name: '予約' }));
    expect(reservations.getByText('tour.uap')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'ダウンロード' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'アップロードを再開' })).toBeNull();
  });

  it('lead on from an interrupted upload, which nobody can be given yet', async () => {
    server.use(
      http.get(`${base}/1`, () =>
        HttpResponse.json({
          ...file(1, 'Tour', {
            upload_status: 'uploading',
            state: 'interrupted',
            upload: uploadOf({ file_size: 4096, stored_bytes: 2048, last_part_at: at(-1) }),
          }),
          signed_url: null,
        }),
      ),
    );
    await open('/partner/files/detail/?id=1&pn=Sakura');
    const resume = await screen.findByRole('link', { name: 'アップロードを再開' });
    expect(resume.getAttribute('href')).toBe('/partner/files/edit/?id=1&pn=Sakura');
    expect(screen.getByText(/アップロードが中断されているため、誰にも届きません/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: '配信グループの設定' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'ダウンロード' })).toBeNull();
  });
});

describe('the details of a draft', () => {
  const draft = (updatedAt: string) =>
    detail(1, 'Tour', {
      upload_status: 'uploading',
      state: 'draft',
      upload: uploadOf({ last_part_at: null }),
      updated_at: updatedAt,
    });

  beforeEach(() => {
    server.use(http.get('*/operation_logs', () => HttpResponse.json({ operation_logs: [], next: null })));
  });

  it.each([
    ['do not call an upload stopped that was begun just now', 0, false],
    ['lead on from an upload that was begun long ago', -1, true],
  ])('%s', async (_, hours, isStopped) => {
    server.use(draft(at(hours)));
    await open('/partner/files/detail/?id=1&pn=Sakura');
    await screen.findByText(/まだアップロードされていないため/);
    expect(screen.queryByText(/途中で止まっています/) !== null).toBe(isStopped);
  });

  it.each([
    ['/partner/files/detail/?id=1&pn=Sakura', /途中で止まっています/],
    ['/partner/files/edit/?id=1&pn=Sakura', '途中のアップロードがあります'],
  ])('come to the way to go on by themselves: %s', async (page, way) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const wait = 3000;
      const begun = formatDateTime(new Date(Date.now() - limits.uploadPause + wait));
      server.use(draft(begun));
      await open(page);
      await screen.findByText(page.includes('edit') ? '確認へ進む' : '下書き');
      expect(screen.queryByText(way)).toBeNull();
      vi.setSystemTime(Date.now() + wait);
      expect(await screen.findByText(way)).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('editing a file', () => {
  beforeEach(() => {
    server.use(http.get(base, () => listOf(file(1, 'Tour'))));
  });

  it('tells what is wrong with a reservation under the time of the update', async () => {
    server.use(detail(1, 'Tour'));
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    await user.upload(
      await screen.findByLabelText('更新予約のファイル', { selector: 'input' }),
      chosen('tour.uap'),
    );
    const submit = () => user.click(screen.getByRole('button', { name: '確認へ進む' }));
    const field = screen.getByLabelText(/^更新予約日時/);
    const shown = async (text: string) => {
      const message = (await screen.findAllByText(text)).find(({ id }) =>
        field.getAttribute('aria-describedby')?.includes(id),
      );
      expect(message).toBeTruthy();
    };
    await submit();
    await shown('入力してください。');
    await setTime(/^更新予約日時/, local(-1));
    await submit();
    await shown('更新予約日時に過去の日時は指定できません。');
    await setTime(/^更新予約日時/, local(0.1));
    await submit();
    await shown('予約日時は10分以上先の日時を指定してください。');
    await setTime(/^配信予約日時/, local(48));
    await setTime(/^更新予約日時/, local(24));
    await submit();
    await shown('更新予約日時は配信予約日時より後にしてください。');
  });

  it('asks what is new where new bytes are chosen, and says it with them', async () => {
    storage();
    const told: unknown[] = [];
    server.use(
      detail(1, 'Tour'),
      http.put(`${base}/1`, async ({ request }) => {
        told.push(await request.json());
        return HttpResponse.json(uploadInfo('current'));
      }),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    const newFile = await screen.findByLabelText('新しいバージョンのファイル', { selector: 'input' });
    expect(screen.queryByLabelText(/^このバージョンの変更点/)).toBeNull();
    await user.upload(newFile, chosen('tour.uap'));
    await user.type(await screen.findByLabelText(/^このバージョンの変更点/), '地図を直した');
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    expect(await screen.findByText('地図を直した')).toBeTruthy();
    await confirmChange(user, screen, '保存する');
    await waitFor(() =>
      expect(told).toMatchObject([{ file_name: 'tour.uap', version_note: '地図を直した' }]),
    );
  });

  it('refuses a file of another name', async () => {
    server.use(detail(1, 'Tour'));
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    await user.upload(
      await screen.findByLabelText('新しいバージョンのファイル', { selector: 'input' }),
      chosen('other.uap'),
    );
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    expect((await screen.findAllByText(/ファイル名「tour\.uap」は変更できません。/)).length).toBeGreaterThan(
      0,
    );
  });

  it('saves, reserves the update, and uploads both new versions', async () => {
    const stored = storage();
    const order: string[] = [];
    const completed: string[] = [];
    let reservation: unknown;
    server.use(
      detail(1, 'Tour'),
      http.put(`${base}/1`, () => {
        order.push('update');
        return HttpResponse.json(uploadInfo('current'));
      }),
      http.put(`${base}/1/reservation`, async ({ request }) => {
        order.push('reserve');
        reservation = await request.json();
        return HttpResponse.json(uploadInfo('reserved'));
      }),
      http.post('*/v1/uploads/:id/complete', ({ params }) => {
        completed.push(String(params.id));
        stored.status = 'complete';
        return HttpResponse.json({});
      }),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    await user.upload(
      await screen.findByLabelText('新しいバージョンのファイル', { selector: 'input' }),
      chosen('tour.uap', 'new version'),
    );
    await user.upload(screen.getByLabelText('更新予約のファイル', { selector: 'input' }), chosen('tour.uap'));
    await setTime(/^更新予約日時/, local(24));
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await confirmChange(user, screen, '保存する');
    expect(await screen.findByText('ファイル「Tour」を更新しました。')).toBeTruthy();
    expect(order).toEqual(['update', 'reserve']);
    const panel = await uploadsPanel();
    expect((await panel.findAllByText('アップロードが完了しました。')).length).toBe(2);
    expect(reservation).toMatchObject({ file_name: 'tour.uap', file_size: 10 });
  });

  it('does not send again what was saved before the reservation was refused', async () => {
    storage();
    const told: unknown[] = [];
    let isFull = true;
    server.use(
      detail(1, 'Tour'),
      http.put(`${base}/1`, async ({ request }) => {
        told.push(await request.json());
        return HttpResponse.json({});
      }),
      http.put(`${base}/1/reservation`, () =>
        isFull ? failure('E40019', '容量が足りません。') : HttpResponse.json(uploadInfo('reserved')),
      ),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    await user.type(await screen.findByLabelText(/^名前/), ' again');
    await setTime(/^配信予約日時/, local(12));
    await user.upload(screen.getByLabelText('更新予約のファイル', { selector: 'input' }), chosen('tour.uap'));
    await setTime(/^更新予約日時/, local(24));
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await confirmChange(user, screen, '保存する');
    expect((await screen.findAllByText(/容量が足りません。/)).length).toBeGreaterThan(0);
    isFull = false;
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await confirmChange(user, screen, '保存する');
    expect(await screen.findByText('ファイル「Tour again」を更新しました。')).toBeTruthy();
    expect(told).toMatchObject([{ name: 'Tour again', deliver_reservation_at: expect.any(String) }, {}]);
    expect(told[1]).toEqual({});
  });

  it('goes on with an upload that somebody began, with the same file alone', async () => {
    const stored = storage();
    stored.parts.set(1, 4);
    const fingerprint = createHash('sha256').update('0123456789').digest('hex');
    const upload = uploadOf({ stored_bytes: 4, last_part_at: at(-1), fingerprint });
    server.use(
      http.get(`${base}/1`, () =>
        HttpResponse.json({
          ...file(1, 'Tour', {
            upload_status: stored.status,
            ...(stored.status === 'uploading' ? { state: 'interrupted', upload } : {}),
          }),
          signed_url: null,
        }),
      ),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    const panel = within(await screen.findByRole('region', { name: '途中のアップロードがあります' }));
    const input = panel.getByLabelText('ファイル', { selector: 'input' });
    const resume = panel.getByRole('button', { name: '続きから再開' });
    await user.upload(input, chosen('other.uap'));
    expect(await panel.findByText(/途中のファイルと異なります。「tour\.uap」/)).toBeTruthy();
    await user.upload(input, chosen('tour.uap', '0123456780'));
    expect(await panel.findByText(/内容が途中のファイルと異なります/)).toBeTruthy();
    expect(resume.hasAttribute('disabled')).toBe(true);
    await user.upload(input, chosen('tour.uap'));
    await waitFor(() => expect(resume.hasAttribute('disabled')).toBe(false));
    await user.click(resume);
    expect(await (await uploadsPanel()).findByText('アップロードが完了しました。')).toBeTruthy();
    await waitFor(() => expect(address()).toBe('/partner/files/detail/?id=1&pn=Sakura'));
    expect(stored.put.sort()).toEqual([2, 3]);
    expect(stored.aborted).toEqual([]);
    expect(await screen.findByText(/配信グループが設定されていないため/)).toBeTruthy();
  });

  it('refuses on the confirmation a reservation whose time has passed meanwhile', async () => {
    server.use(detail(1, 'Tour'));
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    await user.upload(
      await screen.findByLabelText('更新予約のファイル', { selector: 'input' }),
      chosen('tour.uap'),
    );
    await setTime(/^更新予約日時/, local(24));
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await user.click(screen.getByRole('button', { name: '確認へ進む' }));
      const save = await screen.findByRole('button', { name: '保存する' });
      await waitFor(() => expect(save.hasAttribute('disabled')).toBe(false));
      vi.setSystemTime(Date.now() + 24 * 3_600_000);
      // Whatever draws the page again.
      await changeLanguage('en');
      expect(await screen.findByText(/A reserved time has passed or is too near/)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives an interrupted upload up, and its file with it', async () => {
    const stored = storage();
    server.use(
      http.get(base, () => listOf(file(2, 'Guide'))),
      http.get(`${base}/1`, () =>
        HttpResponse.json({
          ...file(1, 'Tour', {
            upload_status: 'uploading',
            state: 'interrupted',
            upload: uploadOf({ stored_bytes: 4, last_part_at: at(-1) }),
          }),
          signed_url: null,
        }),
      ),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    await user.click(await screen.findByRole('button', { name: '破棄してやり直す' }));
    const dialog = within(screen.getByRole('dialog', { name: 'アップロードを中止しますか？' }));
    expect(dialog.getByText(/「tour\.uap」のアップロードを中止し/)).toBeTruthy();
    expect(stored.aborted).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'アップロードを中止' }));
    await waitFor(() => expect(address()).toBe('/partner/files'));
    expect(stored.aborted).toEqual(['u9']);
  });

  it('says that it is too late to give an upload up that has become complete elsewhere', async () => {
    let isComplete = false;
    server.use(
      http.get(`${base}/1`, () =>
        HttpResponse.json({
          ...file(
            1,
            'Tour',
            isComplete ? {} : { state: 'interrupted', upload: uploadOf({ last_part_at: at(-1) }) },
          ),
          signed_url: null,
        }),
      ),
      http.delete('*/v1/uploads/u9', () => failure('E40034', 'ステータスが不正です。')),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    await user.click(await screen.findByRole('button', { name: '破棄してやり直す' }));
    isComplete = true;
    await user.click(await screen.findByRole('button', { name: 'アップロードを中止' }));
    expect(await screen.findByText(/「tour\.uap」はすでに送信が完了しているため/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('途中のアップロードがあります')).toBeNull());
    expect(screen.queryByText('ステータスが不正です。')).toBeNull();
    expect(address()).toBe('/partner/files/edit/?id=1&pn=Sakura');
  });

  it('does without uploads and without a reservation where nothing of it was changed', async () => {
    let body: unknown;
    server.use(
      detail(1, 'Tour'),
      http.put(`${base}/1`, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json({});
      }),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    const name = await screen.findByLabelText(/^名前/);
    await user.clear(name);
    await user.type(name, 'City tour');
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    expect(await screen.findByText('変更あり')).toBeTruthy();
    await confirmChange(user, screen, '保存する');
    expect(await screen.findByText('ファイル「City tour」を更新しました。')).toBeTruthy();
    expect(screen.getByRole('link', { name: '配信グループの設定' })).toBeTruthy();
    expect(body).toEqual({ name: 'City tour' });
  });

  it('takes a reservation back, after asking', async () => {
    let reserved = true;
    server.use(
      http.get(`${base}/1`, () =>
        HttpResponse.json({
          ...file(
            1,
            'Tour',
            reserved ? { update_reservation_at: at(24), update_reservation_file_name: 'tour.uap' } : {},
          ),
          signed_url: null,
        }),
      ),
      http.delete(`${base}/1/reservation`, () => {
        reserved = false;
        return HttpResponse.json({});
      }),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura');
    const updateFile = await screen.findByLabelText('更新予約のファイル', { selector: 'input' });
    await user.upload(updateFile, chosen('tour.uap'));
    await user.type(await screen.findByLabelText(/^予約するバージョンの変更点/), '地図を直した');
    await user.click(screen.getByRole('button', { name: '予約を取り消す' }));
    const dialog = screen.getByRole('dialog', { name: '更新予約を取り消しますか？' });
    expect(reserved).toBe(true);
    await confirmChange(user, within(dialog), '予約を取り消す');
    expect(await screen.findByText('更新予約を取り消しました。')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: '予約を取り消す' })).toBeNull());
    expect((screen.getByLabelText(/^更新予約日時/) as HTMLInputElement).value).toBe('');
    expect(screen.queryByLabelText(/^予約するバージョンの変更点/)).toBeNull();
    // Another one begins as one of a file that has none.
    await user.upload(updateFile, chosen('tour.uap'));
    await setTime(/^更新予約日時/, local(24));
    const atOnce = await screen.findByRole<HTMLInputElement>('radio', { name: /^全員にすぐ配信する/ });
    expect(atOnce.checked).toBe(true);
    expect(screen.getByLabelText(/^予約するバージョンの変更点/)).toHaveProperty('value', '');
  });
});

describe('the storage of the contract', () => {
  const openCreate = async () => {
    await open('/partner/files/create');
    await screen.findByLabelText(/^名前/);
  };

  it('is not spoken of while there is room', async () => {
    server.use(storageUse(3.9));
    await openCreate();
    expect(screen.queryByText(/契約の保存容量/)).toBeNull();
  });

  it('is told before it is used up, and what will be free by itself', async () => {
    server.use(storageUse(4, { leaving_bytes: 1024 ** 3 }));
    await openCreate();
    expect(
      await screen.findByText(/契約の保存容量 5 GB のうち 4 GB を使用しています。 このうち 1 GB は削除/),
    ).toBeTruthy();
  });

  it('is told to be full', async () => {
    server.use(storageUse(5));
    await openCreate();
    expect(await screen.findByText(/契約の保存容量がいっぱいです/)).toBeTruthy();
  });
});

describe('a developer', () => {
  const assigned = { groups: [{ id: 3, name: '営業部' }] };

  it('edits the name of a file that groups get, and is told who may do the rest', async () => {
    server.use(detail(1, 'Tour', assigned));
    await open('/partner/files/edit/?id=1&pn=Sakura', 16);
    expect(await screen.findByText(/差し替えと予約の変更ができるのは管理者だけです/)).toBeTruthy();
    expect(screen.getByLabelText(/^名前/)).toBeTruthy();
    expect(screen.queryByLabelText(/配信予約日時/)).toBeNull();
    expect(screen.queryByLabelText(/更新予約日時/)).toBeNull();
  });

  it('is not led to the groups of a file that they have edited', async () => {
    server.use(
      detail(1, 'Tour', assigned),
      http.put(`${base}/1`, () => HttpResponse.json({})),
    );
    const { user } = await open('/partner/files/edit/?id=1&pn=Sakura', 16);
    await user.type(await screen.findByLabelText(/^名前/), ' 2');
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await confirmChange(user, screen, '保存する');
    expect(await screen.findByText('ファイル「Tour 2」を更新しました。')).toBeTruthy();
    expect(screen.queryByRole('link', { name: '配信グループの設定' })).toBeNull();
  });

  it('may delete only what no group gets', async () => {
    server.use(http.get(base, () => listOf(file(1, 'Tour', assigned), file(2, 'Draft', { groups: [] }))));
    await open('/partner/files', 16);
    const deletable = async (name: string) =>
      within(await row(name)).queryByRole('button', { name: /削除/ }) !== null;
    expect(await deletable('Draft')).toBe(true);
    expect(await deletable('Tour')).toBe(false);
  });
});

describe('assigning groups to a file', () => {
  const groups = http.get('*/v1/partner/partners/7/groups', ({ request }) =>
    new URL(request.url).searchParams.get('all') === 'true'
      ? HttpResponse.json({
          groups: [
            { id: 3, name: 'Sales', role: 0 },
            { id: 4, name: 'Leads', role: 268_435_456 },
          ],
        })
      : HttpResponse.json({ current_page: 1, total_page: 1, total_count: 1, groups: [group(3, 'Sales')] }),
  );

  beforeEach(() => {
    server.use(
      groups,
      audience,
      pushAudience,
      http.get(base, () => listOf(file(1, 'Tour'))),
    );
  });

  it('names the groups before, retries while the upload is completed, and tells the server all', async () => {
    const bodies: unknown[] = [];
    const previewed: unknown[] = [];
    server.use(
      detail(1, 'Tour', { groups: [{ id: 3, name: 'Sales' }] }),
      http.put(`${base}/1/groups`, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({});
      }),
      http.post(`${base}/1/preview`, async ({ request }) => {
        previewed.push(await request.json());
        if (previewed.length === 1) return failure('E40019', 'アップロード中');
        return HttpResponse.json(effect({ gains: { users: 7, devices: 14, names: ['Taro', 'Jiro'] } }));
      }),
    );
    const { user } = await open('/partner/files/groups/?id=1&pn=Sakura');
    await user.click(await screen.findByLabelText('Leads（管理者）'));
    await user.click(screen.getByLabelText('メールで通知する'));
    await user.click(screen.getByLabelText('プッシュ通知で知らせる'));
    await user.click(screen.getByRole('button', { name: '設定を確認' }));
    const dialog = screen.getByRole('dialog', { name: '配信グループを設定しますか？' });
    expect(within(dialog).getByText('通知: メール、プッシュ通知')).toBeTruthy();
    const after = within(within(dialog).getByRole('list', { name: '設定する配信先' }));
    expect(after.getByText('Sales（一般）')).toBeTruthy();
    expect(after.getByText('Leads（管理者）')).toBeTruthy();
    const before = within(dialog).getByRole('list', { name: '現在の配信先' });
    expect(before.textContent).toBe('Sales（一般）');
    expect(await within(dialog).findByText('アップロードの完了を待っています（2/5）')).toBeTruthy();
    expect(await within(dialog).findByText(/新しく届く: /)).toBeTruthy();
    expect(within(dialog).getByText('7人')).toBeTruthy();
    expect(within(dialog).getByText('ほか5人')).toBeTruthy();
    const body = { group_ids: [3, 4], notify_email: true, notify_push: true };
    expect(previewed.at(-1)).toEqual({ what: 'groups', body });
    expect(bodies).toEqual([]);
    await confirmChange(user, within(dialog), '設定する');
    expect(await screen.findByText('「Tour」の配信グループを設定しました。')).toBeTruthy();
    expect(bodies).toEqual([{ ...body, preview_token: 'told' }]);
    await waitFor(() => expect(address()).toBe('/partner/files'));
  });

  it('offers no push where nobody has a certificate to send with, and says so', async () => {
    sends = false;
    server.use(detail(1, 'Tour', { groups: [{ id: 3, name: 'Sales' }] }));
    await open('/partner/files/groups/?id=1&pn=Sakura');
    const push = await screen.findByRole<HTMLInputElement>('checkbox', {
      name: /プッシュ通知で知らせる.*証明書が登録されていない/,
    });
    expect(push.disabled).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'メールで通知する' }).disabled).toBe(false);
  });

  it('says what no group means', async () => {
    server.use(detail(1, 'Tour'));
    const { user } = await open('/partner/files/groups/?id=1&pn=Sakura');
    await user.click(await screen.findByRole('button', { name: '設定を確認' }));
    expect(screen.getByRole('dialog').textContent).toContain('グループが選択されていません。');
  });

  it('offers everyone, which is group 0', async () => {
    let body: unknown;
    server.use(
      detail(1, 'Tour'),
      http.put(`${base}/1/groups`, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json({});
      }),
    );
    const { user } = await open('/partner/files/groups/?id=1&pn=Sakura');
    await user.click(await screen.findByLabelText(/全員に配信する/));
    await user.click(screen.getByRole('button', { name: '設定を確認' }));
    await confirmChange(user, within(screen.getByRole('dialog')), '設定する');
    await waitFor(() =>
      expect(body).toEqual({
        group_ids: [0],
        notify_email: false,
        notify_push: false,
        preview_token: 'told',
      }),
    );
  });

  describe('where the contract forbids delivery to everyone', () => {
    beforeEach(() => {
      const noEveryone = summary({ file_public_flag: false });
      server.use(http.get('*/v1/partner/partners/7/summary', () => HttpResponse.json(noEveryone)));
    });

    it('offers groups alone', async () => {
      server.use(detail(1, 'Tour'));
      await open('/partner/files/groups/?id=1&pn=Sakura');
      expect(await screen.findByLabelText('グループを選んで配信する')).toBeTruthy();
      await waitFor(() => expect(screen.queryByLabelText(/全員に配信する/)).toBeNull());
    });

    it('keeps everyone for a file that everyone has', async () => {
      server.use(detail(1, 'Tour', { groups: [{ id: 0, name: '全員' }] }));
      let asked = 0;
      server.events.on('response:mocked', ({ request }) => {
        if (new URL(request.url).pathname.endsWith('/summary')) asked += 1;
      });
      await open('/partner/files/groups/?id=1&pn=Sakura');
      await waitFor(() => expect(asked).toBeGreaterThan(0));
      expect(await screen.findByLabelText('グループを選んで配信する')).toBeTruthy();
      expect(screen.getByLabelText(/全員に配信する/)).toBeTruthy();
    });

    it('offers it for no new file either', async () => {
      await open('/partner/files/create');
      expect(await screen.findByLabelText(/まだ配信しない/)).toBeTruthy();
      await waitFor(() => expect(screen.queryByLabelText(/全員に配信する/)).toBeNull());
    });
  });

  it('falls back to the list when there is no such file', async () => {
    server.use(http.get(`${base}/99`, () => failure('E40405', 'ありません')));
    await open('/partner/files/groups/?id=99&pn=Sakura');
    await row('Tour');
    expect(address()).toBe('/partner/files');
  });

  it('is for administrators', async () => {
    await open('/partner/files/groups/?id=1&pn=Sakura', 16);
    expect(await screen.findByText('ファイルを配信するには管理者権限が必要です。')).toBeTruthy();
  });
});
