import { EditorView } from '@codemirror/view';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../src/lib/i18n.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, onePage, server } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const database = (more: object = {}) => ({
  partner_id: 7,
  db: 'd7abc123',
  contract_status: 1,
  start_date: '2026-11-21T00:00:00Z',
  expire_date: '2026-12-21T00:00:00Z',
  usage_bytes: 1024,
  document_count: 2,
  quota_bytes: 104_857_600,
  ...more,
});

const stored = (id: string, more: object = {}) => ({
  _id: id,
  ...more,
  _created_at: '2026-11-21T00:00:00Z',
  _updated_at: '2026-11-22T00:00:00Z',
  _version: 1,
});

const own = '*/api/v2/database';
const collection = '*/api/v2/d7abc123/collection';
const documents = `${collection}/orders/documents`;
const press = async ({ user }: RenderedApp, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));

/** What was asked for is no longer taken for new. */
const later = () => vi.setSystemTime(Date.now() + 60_000);

/** Comes back to the window, for which what is shown is asked for again. */
async function lookAgain(): Promise<void> {
  await act(async () => {
    window.dispatchEvent(new Event('visibilitychange'));
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
}

/** What is typed into CodeMirror: the DOM of the tests knows no selection, which it goes by. */
async function write(field: string, text: string): Promise<void> {
  const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: field }));
  if (!view) throw new Error('no editor');
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
}

function answer({ writable = true, rows = [] as object[] } = {}): void {
  server.use(
    http.get(own, () => HttpResponse.json({ ...database(), readable: true, writable })),
    http.get('*/api/v2/d7abc123/apikey', () => HttpResponse.json({ api_key: 'first-key' })),
    http.get(collection, () =>
      HttpResponse.json({ collections: [{ name: 'orders', count: rows.length, size: 2048 }] }),
    ),
    http.get(documents, () => HttpResponse.json({ ...onePage(rows.length), documents: rows, after: null })),
  );
}

const orders = [
  stored('a', { status: 'paid', total: 1200, sent: true, note: null }),
  stored('b', { status: 'open', address: { city: '東京' } }),
];

describe('the editor of documents', () => {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await signInPartner();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells of a company without a database', async () => {
    server.use(http.get(own, () => failure('E40401', '見つかりません。')));
    renderApp('/collections');
    await screen.findByRole('heading', { name: 'データベースはまだありません' });
  });

  it('stays signed in when the contract of the database alone is over', async () => {
    server.use(http.get(own, () => failure('E40302', '契約期間が終了しています。')));
    renderApp('/collections');
    await screen.findByRole('heading', { name: 'データベースの契約は終了しました' });
    expect(address()).toBe('/collections');
  });

  it('shows the collections with their counts, and documents with columns of their fields', async () => {
    answer({ rows: orders });
    const app = renderApp('/collections');
    await app.user.click(await screen.findByRole('link', { name: /orders/ }));
    const table = await screen.findByRole('table', { name: '「orders」のドキュメント' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '',
      '_id文字列',
      'status文字列',
      'total数値',
      'sent真偽値',
      'notenull',
      'addressオブジェクト',
      '更新日時',
    ]);
    expect(within(table).getByText('{"city":"東京"}')).toBeTruthy();
    expect(address()).toBe('/collections?name=orders');
  });

  it('filters as MongoDB does, and tells at the filter what is wrong with it', async () => {
    const asked: (string | null)[] = [];
    answer({ rows: orders });
    server.use(
      http.get(documents, ({ request }) => {
        const filter = new URL(request.url).searchParams.get('filter');
        asked.push(filter);
        return filter?.includes('slow')
          ? failure('E40002', '不正な値です。', [{ field: 'filter', message: '時間がかかりすぎました。' }])
          : HttpResponse.json({ ...onePage(2), documents: orders, after: null });
      }),
    );
    const app = renderApp('/collections?name=orders');
    await screen.findByRole('table');
    await write('フィルター', "{ status: 'paid' }");
    await press(app, '検索');
    await waitFor(() => expect(asked.at(-1)).toBe('{"status":"paid"}'));

    await write('フィルター', '{ status: }');
    await press(app, '検索');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^ここから先を読み取れません/);
    expect(asked.at(-1)).toBe('{"status":"paid"}');

    await write('フィルター', '{ status: { $where: 1 } }');
    await press(app, '検索');
    await screen.findByText('演算子「$where」は使えません。');

    await write('フィルター', '{ slow: 1 }');
    await press(app, '検索');
    expect(await screen.findAllByText('時間がかかりすぎました。')).toBeTruthy();
  });

  it('tells why it does not sort, and lists without it', async () => {
    answer({ rows: orders });
    server.use(
      http.get(documents, ({ request }) =>
        new URL(request.url).searchParams.has('sort')
          ? failure('E40002', '不正な値です。', [{ field: 'sort', message: '並べ替えは8項目までです。' }])
          : HttpResponse.json({ ...onePage(2), documents: orders, after: null }),
      ),
    );
    const app = renderApp('/collections?name=orders&sort=total');
    await screen.findByText('並べ替えできませんでした');
    expect(screen.getByText('並べ替えは8項目までです。')).toBeTruthy();
    expect(screen.queryByText('時間がかかりすぎました')).toBeNull();
    expect(screen.queryByText('フィルターを実行できません')).toBeNull();
    await press(app, '並べ替えを解除');
    await screen.findByRole('table');
    expect(address()).toBe('/collections?name=orders');
  });

  it('goes on by cursor, and sorts by a column upwards, downwards, and not at all', async () => {
    const asked: string[] = [];
    answer({ rows: orders });
    server.use(
      http.get(documents, ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(`${searchParams.get('sort') ?? ''} ${searchParams.get('after') ?? ''}`);
        const after = searchParams.get('after') === null ? 'cursor-1' : null;
        return HttpResponse.json({ ...onePage(60), documents: orders, after });
      }),
    );
    const app = renderApp('/collections?name=orders');
    await screen.findByText('60件中 1–2件');
    await press(app, '次のページ');
    await waitFor(() => expect(asked.at(-1)).toBe(' cursor-1'));
    await press(app, '前のページ');
    await screen.findByText('60件中 1–2件');
    await press(app, 'total');
    await waitFor(() => expect(asked.at(-1)).toBe('total '));
    await press(app, 'total');
    await waitFor(() => expect(asked.at(-1)).toBe('-total '));
    await press(app, 'total');
    await waitFor(() => expect(address()).toBe('/collections?name=orders'));
  });

  it('saves a document after a look at the difference, for the version that was edited', async () => {
    let sent: unknown;
    answer({ rows: orders });
    server.use(
      http.get(`${documents}/a`, () => HttpResponse.json(orders[0])),
      http.put(`${documents}/a`, async ({ request }) => {
        sent = [request.headers.get('if-match'), await request.json()];
        return HttpResponse.json({ ...orders[0], _version: 2 });
      }),
    );
    const app = renderApp('/collections?name=orders');
    await press(app, 'a');
    await screen.findByRole('dialog', { name: 'ドキュメントを編集' });
    // Nothing of what the service keeps is there to be changed.
    await write('ドキュメントを編集', '{ "_id": "a", "$total": 1 }');
    await press(app, '変更内容を確認');
    await screen.findByText('1行目: 「$」で始まるキー「$total」は使えません。');
    await write('ドキュメントを編集', '{ "_id": "a", "total": 1300 }');
    await press(app, '変更内容を確認');
    await screen.findByText('保存する前に変更内容を確認してください。');
    await press(app, '保存する');
    await screen.findByText('ドキュメント「a」を保存しました。');
    // Nothing asks whether to leave what is saved.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual(['"1"', { _id: 'a', total: 1300 }]);
  });

  it('shows both versions when somebody was faster, and brings them together', async () => {
    const sent: unknown[] = [];
    let now = stored('a', { status: 'paid', total: 1200 });
    answer({ rows: [now] });
    server.use(
      http.get(`${documents}/a`, () => HttpResponse.json(now)),
      http.put(`${documents}/a`, async ({ request }) => {
        sent.push([request.headers.get('if-match'), await request.json()]);
        if (request.headers.get('if-match') !== `"${now._version}"`)
          return failure('E40034', '他の人が先に変更しました。');
        return HttpResponse.json({ ...now, _version: 3 });
      }),
    );
    const app = renderApp('/collections?name=orders&document=a');
    await write('ドキュメントを編集', '{ "_id": "a", "status": "paid", "total": 1300 }');
    await press(app, '変更内容を確認');
    now = { ...stored('a', { status: 'shipped', total: 1200 }), _version: 2 };
    await press(app, '保存する');
    await screen.findByRole('dialog', { name: 'ほかの人が先に保存しました' });
    await screen.findByText(/変更した項目は別々なので/);
    await press(app, '両方の変更を編集画面で合わせる');
    await press(app, '変更内容を確認');
    await press(app, '保存する');
    await screen.findByText('ドキュメント「a」を保存しました。');
    expect(sent.at(-1)).toEqual(['"2"', { _id: 'a', status: 'shipped', total: 1300 }]);
  });

  it('opens a document again as it is by then', async () => {
    const sent: (string | null)[] = [];
    let now = stored('a', { total: 1200 });
    answer({ rows: [now] });
    server.use(
      http.get(`${documents}/a`, () => HttpResponse.json(now)),
      http.put(`${documents}/a`, async ({ request }) => {
        sent.push(request.headers.get('if-match'));
        now = { ...now, ...((await request.json()) as object), _version: now._version + 1 };
        return HttpResponse.json(now);
      }),
    );
    const app = renderApp('/collections?name=orders&document=a');
    for (const total of [1300, 1400]) {
      await write('ドキュメントを編集', `{ "_id": "a", "total": ${total} }`);
      await press(app, '変更内容を確認');
      await press(app, '保存する');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await press(app, 'a');
    }
    expect(sent).toEqual(['"1"', '"2"']);
    const editor = await screen.findByRole('textbox', { name: 'ドキュメントを編集' });
    expect(editor.textContent).toContain('1400');
  });

  it('opens a document again as somebody else has changed it', async () => {
    let now = stored('a', { total: 1200 });
    answer({ rows: [now] });
    server.use(http.get(`${documents}/a`, () => HttpResponse.json(now)));
    const app = renderApp('/collections?name=orders&document=a');
    await screen.findByRole('textbox', { name: 'ドキュメントを編集' });
    await press(app, 'キャンセル');
    now = stored('a', { total: 1300 });
    await press(app, 'a');
    const editor = await screen.findByRole('textbox', { name: 'ドキュメントを編集' });
    expect(editor.textContent).toContain('1300');
  });

  it('keeps what is written when somebody else deletes the document, and creates it again', async () => {
    const sent: unknown[] = [];
    let isDeleted = false;
    answer({ rows: orders });
    server.use(
      http.get(`${documents}/a`, () =>
        isDeleted ? failure('E40401', '見つかりません。') : HttpResponse.json(orders[0]),
      ),
      http.put(`${documents}/a`, async ({ request }) => {
        const version = request.headers.get('if-match');
        sent.push([version, await request.json()]);
        return isDeleted && version !== null
          ? failure('E40034', '他の人が先に変更しました。')
          : HttpResponse.json(orders[0], { status: 201 });
      }),
    );
    const app = renderApp('/collections?name=orders&document=a');
    await write('ドキュメントを編集', '{ "_id": "a", "total": 1300 }');
    isDeleted = true;
    later();
    await lookAgain();
    await press(app, '変更内容を確認');
    await press(app, '保存する');
    await screen.findByRole('dialog', { name: 'ほかの人が削除しました' });
    await press(app, '自分の内容で作り直す');
    await screen.findByText('ドキュメント「a」を保存しました。');
    expect(sent).toEqual([
      ['"1"', { _id: 'a', total: 1300 }],
      [null, { _id: 'a', total: 1300 }],
    ]);
  });

  it('does not take a version that cannot be read for a deletion', async () => {
    let isAway = false;
    answer({ rows: orders });
    server.use(
      http.get(`${documents}/a`, () =>
        isAway ? failure('E50001', 'サーバーのエラーです。') : HttpResponse.json(orders[0]),
      ),
      http.put(`${documents}/a`, () => failure('E40034', '他の人が先に変更しました。')),
    );
    const app = renderApp('/collections?name=orders&document=a');
    await write('ドキュメントを編集', '{ "_id": "a", "total": 1300 }');
    await press(app, '変更内容を確認');
    isAway = true;
    await press(app, '保存する');
    await within(await screen.findByRole('dialog', { name: 'ドキュメントを編集' })).findByText(
      'サーバーのエラーです。',
    );
    isAway = false;
    await press(app, '保存する');
    await screen.findByRole('dialog', { name: 'ほかの人が先に保存しました' });
  });

  it('tells what is refused of a conflict, and asks before what is written is lost with it', async () => {
    let code = 'E40034';
    answer({ rows: orders });
    server.use(
      http.get(`${documents}/a`, () => HttpResponse.json(orders[0])),
      http.put(`${documents}/a`, () => failure(code, '空きがありません。')),
    );
    const app = renderApp('/collections?name=orders');
    await press(app, 'a');
    await write('ドキュメントを編集', '{ "_id": "a", "total": 1300 }');
    await press(app, '変更内容を確認');
    await press(app, '保存する');
    const conflict = await screen.findByRole('dialog', { name: 'ほかの人が先に保存しました' });
    code = 'E40016';
    await press(app, '自分の内容で上書き');
    await within(conflict).findByText('空きがありません。');

    window.history.back();
    await press(app, 'このページに留まる');
    expect(address()).toBe('/collections?name=orders&document=a');
    await press(app, '自分の変更を破棄');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/collections?name=orders');
  });

  it('keeps what is written when somebody else deletes the collection', async () => {
    answer({ rows: orders });
    server.use(http.get(`${documents}/a`, () => HttpResponse.json(orders[0])));
    const app = renderApp('/collections?name=orders&document=a');
    await write('ドキュメントを編集', '{ "_id": "a", "total": 1300 }');
    server.use(
      http.get(collection, () => HttpResponse.json({ collections: [] })),
      http.get(documents, () => failure('E40401', '見つかりません。')),
      http.get(`${documents}/a`, () => failure('E40401', '見つかりません。')),
    );
    later();
    await lookAgain();
    await screen.findByText('コレクションが見つかりません');
    expect(screen.getByRole('textbox', { name: 'ドキュメントを編集' }).textContent).toContain('1300');

    server.use(http.put(`${documents}/a`, () => failure('E40401', '見つかりません。')));
    await press(app, '変更内容を確認');
    await press(app, '保存する');
    await within(screen.getByRole('dialog', { name: 'ドキュメントを編集' })).findByText('見つかりません。');
  });

  it('deletes several at once, and all that match after the name was typed', async () => {
    const asked: (string | null)[] = [];
    answer({ rows: orders });
    server.use(
      http.delete(documents, ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('filter'));
        return HttpResponse.json({ count: 2 });
      }),
    );
    const app = renderApp('/collections?name=orders');
    await app.user.click(await screen.findByRole('checkbox', { name: 'このページの行をすべて選択' }));
    await press(app, '削除');
    const dialog = await screen.findByRole('dialog');
    await app.user.click(within(dialog).getByRole('button', { name: '削除' }));
    await screen.findByText('2件のドキュメントを削除しました。');
    expect(asked).toEqual(['{"_id":{"$in":["a","b"]}}']);

    await press(app, 'その他の操作');
    await press(app, 'ドキュメントをすべて削除');
    const again = await screen.findByRole('dialog');
    const confirm = within(again).getByRole('button', { name: '削除' });
    expect((confirm as HTMLButtonElement).disabled).toBe(true);
    await app.user.type(within(again).getByRole('textbox'), 'orders');
    await app.user.click(confirm);
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]).toBe('{}');
  });

  it('deletes a document whose id is no part of an address, and not its collection', async () => {
    const asked: string[] = [];
    answer({ rows: [stored('..')] });
    server.use(
      http.delete('*/collection/*', ({ request }) => {
        const { pathname, searchParams } = new URL(request.url);
        asked.push(`${pathname} ${searchParams.get('filter')}`);
        return HttpResponse.json({ count: 1 });
      }),
    );
    const app = renderApp('/collections?name=orders');
    await app.user.click(await screen.findByRole('checkbox', { name: 'このページの行をすべて選択' }));
    await press(app, '削除');
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    await screen.findByText('1件のドキュメントを削除しました。');
    expect(asked).toEqual([
      expect.stringMatching(/\/collection\/orders\/documents \{"_id":\{"\$in":\["\.\."\]\}\}$/),
    ]);
  });

  it('deletes a page of the longest ids, and tells how many are gone where that fails midway', async () => {
    let ids = Array.from({ length: 70 }, (_, index) => String(index).padEnd(128, '-'));
    const deletedAtOnce: number[] = [];
    answer({ rows: orders });
    server.use(
      http.get(documents, () =>
        HttpResponse.json({ ...onePage(ids.length), documents: ids.map((id) => stored(id)), after: null }),
      ),
      http.delete(documents, ({ request }) => {
        const filter = new URL(request.url).searchParams.get('filter') ?? '';
        if (filter.length > 8000) return failure('E40002', '長すぎます。');
        if (deletedAtOnce.length === 1) {
          deletedAtOnce.push(0);
          return failure('E50001', 'サーバーのエラーです。');
        }
        const before = ids.length;
        ids = ids.filter((id) => !filter.includes(`"${id}"`));
        deletedAtOnce.push(before - ids.length);
        return HttpResponse.json({ count: before - ids.length });
      }),
    );
    const app = renderApp('/collections?name=orders&perPage=100');
    const deleteAll = async () => {
      await app.user.click(await screen.findByRole('checkbox', { name: 'このページの行をすべて選択' }));
      await press(app, '削除');
      await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    };
    await deleteAll();
    await screen.findByText('60件のドキュメントを削除しました。');
    await within(await screen.findByRole('dialog', { name: 'エラー' })).findByText('サーバーのエラーです。');
    await press(app, '閉じる');
    await screen.findByText('10件中 1–10件');
    await deleteAll();
    await screen.findByText('10件のドキュメントを削除しました。');
    expect(deletedAtOnce).toEqual([60, 0, 10]);
  });

  it('goes a page back where the last one has been emptied', async () => {
    let last = [stored('c'), stored('d')];
    answer({ rows: orders });
    server.use(
      http.get(documents, ({ request }) => {
        const isLast = new URL(request.url).searchParams.has('after');
        const after = isLast || last.length === 0 ? null : 'cursor-1';
        return HttpResponse.json({ ...onePage(50 + last.length), documents: isLast ? last : orders, after });
      }),
      http.delete(documents, () => {
        last = [];
        return HttpResponse.json({ count: 2 });
      }),
    );
    const app = renderApp('/collections?name=orders');
    await screen.findByText('52件中 1–2件');
    await press(app, '次のページ');
    await screen.findByText('52件中 51–52件');
    await app.user.click(await screen.findByRole('checkbox', { name: 'このページの行をすべて選択' }));
    await press(app, '削除');
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '削除' }));
    await screen.findByText('50件中 1–2件');
  });

  it.each([
    ['table', 31, '1 more field is shown in the JSON view.'],
    ['table', 32, '2 more fields are shown in the JSON view.'],
    ['json', 38, 'Show 1 more line'],
    ['json', 39, 'Show 2 more lines'],
  ])('tells in English how much more there is in the %s of %i fields', async (view, count, told) => {
    await changeLanguage('en');
    const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
    answer({ rows: [stored('a', fields)] });
    renderApp(`/collections?name=orders&view=${view}`);
    await screen.findByText(told);
  });

  it('tells of a database whose contract is over that it is, also when it is full', async () => {
    answer();
    server.use(
      http.get(own, () =>
        HttpResponse.json({ ...database({ usage_bytes: 104_857_600 }), readable: true, writable: false }),
      ),
    );
    renderApp('/collections');
    await screen.findByText(/^契約は.*に終了しました/);
    expect(screen.queryByText(/使用量が上限に達しています/)).toBeNull();
  });

  it('offers nothing that changes anything to who may only read', async () => {
    answer({ rows: orders, writable: false });
    renderApp('/collections?name=orders');
    await screen.findByRole('table');
    expect(screen.queryByRole('button', { name: '新規作成' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'インポート' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'エクスポート' })).toBeTruthy();
  });

  it('shows the key when asked, and another one after it was renewed', async () => {
    let key = 'first-key';
    answer();
    server.use(
      http.get('*/api/v2/d7abc123/apikey', () => HttpResponse.json({ api_key: key })),
      http.put('*/api/v2/d7abc123/apikey', () => {
        key = 'second-key';
        return HttpResponse.json({ api_key: key });
      }),
    );
    const app = renderApp('/collections');
    await press(app, '表示');
    await screen.findByText('first-key');
    await press(app, 'キーを再発行');
    await app.user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'キーを再発行' }),
    );
    await screen.findByText('second-key');
  });
});

describe('the editor that is opened with a key', () => {
  it('takes it out of the address at once, calls with it, also after a reload, and forgets it', async () => {
    const keys: (string | null)[] = [];
    answer({ rows: orders });
    server.use(
      http.get(own, ({ request }) => {
        keys.push(request.headers.get('x-api-key'), request.headers.get('authorization'));
        return HttpResponse.json({ ...database(), readable: true, writable: true });
      }),
    );
    const app = renderApp('/collections?api_key=secret-key&partner_id=7');
    expect(address()).toBe('/collections');
    await screen.findByRole('link', { name: /orders/ });
    expect(keys.slice(0, 2)).toEqual(['secret-key', null]);
    await waitFor(() => expect(sessionStorage.getItem('portal.databaseKey')).toBeTruthy());
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('secret-key');

    const again = app.reload();
    await screen.findByRole('link', { name: /orders/ });
    expect(keys.at(-2)).toBe('secret-key');
    await press(again, '閉じる');
    await waitFor(() => expect(address()).toMatch(/^\/partner\/login/));
    expect(sessionStorage.getItem('portal.databaseKey')).toBeNull();
  });

  it('says when the key has stopped', async () => {
    server.use(http.get(own, () => failure('E40033', 'APIキーが正しくありません。')));
    renderApp('/collections?api_key=old-key&partner_id=7');
    await screen.findByRole('heading', { name: 'このAPIキーは使えません' });
    sessionStorage.clear();
  });
});

describe('databases, as administrators see them', () => {
  beforeEach(() => signInAdmin());
  const row = { ...database(), partner_id: 2, partner_name: 'Sakura', api_key: 'the-key' };

  it('are listed with their use, and deleted once the name of the company is typed', async () => {
    let isDeleted = false;
    server.use(
      http.get('*/api/v2/admin/databases', () =>
        HttpResponse.json({ ...onePage(1), databases: isDeleted ? [] : [row] }),
      ),
      http.delete('*/api/v2/admin/databases/2', () => {
        isDeleted = true;
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/admin/databases');
    const meter = await screen.findByRole('meter', { name: '使用量' });
    expect(meter.getAttribute('aria-valuetext')).toBe('1 KB / 100 MB');
    await press(app, '削除: Sakura');
    const dialog = await screen.findByRole('dialog');
    await app.user.type(within(dialog).getByRole('textbox'), 'Sakura');
    await app.user.click(within(dialog).getByRole('button', { name: 'データベースを削除' }));
    await screen.findByText('データベースはまだありません');
    expect(isDeleted).toBe(true);
  });

  it('are changed after a confirmation', async () => {
    let sent: unknown;
    server.use(
      http.get('*/api/v2/admin/databases/2', () => HttpResponse.json(row)),
      http.put('*/api/v2/admin/databases/2', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ ...row, contract_status: 2 });
      }),
    );
    const app = renderApp('/admin/databases/edit/?id=2&pn=Sakura');
    await app.user.click(await screen.findByRole('radio', { name: '本契約' }));
    await press(app, '確認へ進む');
    await press(app, '保存する');
    await screen.findByText('「Sakura」のデータベースを更新しました。');
    expect(sent).toEqual({ contract_status: 2 });
  });
});
