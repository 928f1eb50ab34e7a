import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSessionStore } from './session-store.ts';
import { createTokenVault } from './token-vault.ts';

const profile = {
  name: 'Admin',
  email: 'a@example.com',
  role: 127,
  outsourcingFlag: false,
  unitId: null,
  twoFactorSetup: false,
};
let time: number;
const create = () => createSessionStore(createTokenVault(), localStorage, () => time);

beforeEach(() => {
  time = 1_000_000;
});

describe('the session store', () => {
  it('gives the token back after a reload, though it is not readable at rest', async () => {
    await create().begin('admin', profile, 'secret-token', 60);
    expect(JSON.stringify({ ...localStorage })).not.toContain('secret-token');
    const store = create();
    expect(store.current()).toMatchObject({ kind: 'admin', name: 'Admin', expiresAt: 1_060_000 });
    expect(await store.token()).toBe('secret-token');
  });

  it('never writes the same token twice alike', async () => {
    const vault = createTokenVault();
    expect(await vault.seal('token')).not.toBe(await vault.seal('token'));
    expect(await vault.open('AAAA.BBBB')).toBeUndefined();
  });

  it('is over once its time is', async () => {
    await create().begin('admin', profile, 'secret-token', 60);
    time += 60_000;
    const store = create();
    expect(store.current()).toBeUndefined();
    expect(store.ended()).toBe('expired');
    expect(localStorage.getItem('portal.adminToken')).toBeNull();
  });

  it('renews token and time, unless it has ended meanwhile', async () => {
    const store = create();
    const changed = vi.fn();
    store.subscribe(changed);
    await store.begin('admin', profile, 'first', 60);
    time += 30_000;
    await store.renew('second', 60);
    expect(store.current()?.expiresAt).toBe(1_090_000);
    expect(await store.token()).toBe('second');

    const renewing = store.renew('third', 60);
    store.end('loggedOut');
    await renewing;
    expect(store.current()).toBeUndefined();
    expect(await store.token()).toBeUndefined();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('portal.admin'))).toEqual([]);
    expect(changed).toHaveBeenCalled();
  });

  it('ends in this tab alone when the token can’t be opened here', async () => {
    await create().begin('admin', profile, 'secret-token', 60);
    localStorage.setItem('portal.adminToken', 'AAAA.BBBB');
    const store = create();
    expect(await store.token()).toBeUndefined();
    expect(store.current()).toBeUndefined();
    expect(localStorage.getItem('portal.adminToken')).toBe('AAAA.BBBB');
  });

  describe('that is lost', () => {
    const withWork = (hasWork: () => boolean) =>
      createSessionStore(createTokenVault(), localStorage, () => time, hasWork);
    const fromAnotherTab = () =>
      window.dispatchEvent(
        new StorageEvent('storage', { key: 'portal.adminExpiresAt', storageArea: localStorage }),
      );

    it('ends where nothing is typed, and lapses where something is, until its owner is back', async () => {
      const store = withWork(() => true);
      await store.begin('admin', profile, 'first', 60);
      store.lose('refused');
      expect([store.hasLapsed(), store.current()]).toMatchObject([true, { name: 'Admin' }]);
      // A call waits for the next session.
      const token = store.token();
      await store.renew('no more', 60);
      expect(store.hasLapsed()).toBe(true);
      await store.begin('admin', profile, 'second', 60);
      expect([await token, store.hasLapsed()]).toEqual(['second', false]);

      const idle = withWork(() => false);
      idle.lose('expired');
      expect([idle.hasLapsed(), idle.current(), idle.ended()]).toEqual([false, undefined, 'expired']);
    });

    it('gives waiting calls up when it is ended after all', async () => {
      const store = withWork(() => true);
      await store.begin('admin', profile, 'first', 60);
      store.lose('expired');
      const waiting = Promise.all([store.token(), store.resumed()]);
      store.end('expired');
      expect(await waiting).toEqual([undefined, false]);
    });

    it('in another tab, lapses here too where something is typed; a logout there ends it', async () => {
      const store = withWork(() => true);
      const other = withWork(() => false);
      await other.begin('admin', profile, 'first', 60);
      fromAnotherTab();
      expect(store.current()).toMatchObject({ name: 'Admin' });
      other.lose('expired');
      fromAnotherTab();
      expect([store.hasLapsed(), store.current()]).toMatchObject([true, { name: 'Admin' }]);
      await other.begin('admin', profile, 'second', 60);
      fromAnotherTab();
      expect([store.hasLapsed(), await store.token()]).toEqual([false, 'second']);
      other.end('loggedOut');
      fromAnotherTab();
      expect([store.current(), store.ended()]).toEqual([undefined, 'loggedOut']);
    });

    it('stays lapsed when the portal is opened in another tab after its end', async () => {
      const store = withWork(() => true);
      await store.begin('admin', profile, 'first', 60);
      time += 60_000;
      store.lose('expired');
      const opened = withWork(() => false);
      fromAnotherTab();
      expect([store.hasLapsed(), store.current()]).toMatchObject([true, { name: 'Admin' }]);
      const token = store.token();
      await opened.begin('admin', profile, 'second', 60);
      fromAnotherTab();
      expect([store.hasLapsed(), await token]).toEqual([false, 'second']);
    });

    it('gives its waiting calls up when somebody else signs in in another tab', async () => {
      const store = withWork(() => true);
      await store.begin('admin', profile, 'first', 60);
      expect(await store.token()).toBe('first');
      store.lose('refused');
      const waiting = Promise.all([store.token(), store.resumed()]);
      const other = { ...profile, email: 'b@example.com' };
      await withWork(() => false).begin('admin', other, 'of the other', 60);
      fromAnotherTab();
      expect(await waiting).toEqual([undefined, false]);
      expect(store.current()).toMatchObject({ email: 'b@example.com' });
      // Nor is tried again as theirs what was under way.
      expect([store.hasGiven('first'), await store.token(), store.hasGiven('of the other')]).toEqual([
        false,
        'of the other',
        true,
      ]);
    });

    it('is never away for other tabs while it begins again', async () => {
      const store = withWork(() => true);
      await store.begin('admin', profile, 'first', 60);
      const removed = vi.spyOn(Storage.prototype, 'removeItem');
      await store.begin('admin', profile, 'second', 60);
      expect(removed.mock.calls.map(([key]) => key)).not.toContain('portal.adminExpiresAt');
      removed.mockRestore();
    });
  });
});
