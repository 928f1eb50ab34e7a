import type { Page } from 'playwright-core';

/** Numbers of a delivery that is under way, as the service would tell them of 1,000 devices. */
const of = (devices: number, share: number) => {
  const installed = Math.round(devices * share);
  const failed = Math.round(devices * 0.06);
  const [downloading, downloaded, seen] = [
    Math.round(devices * 0.05),
    Math.round(devices * 0.03),
    Math.round(devices * 0.1),
  ];
  return {
    targeted: { users: Math.round(devices * 0.8), devices },
    states: {
      not_seen: devices - installed - failed - downloading - downloaded - seen,
      seen,
      downloading,
      downloaded,
      installed,
      failed,
      removed: 0,
    },
    failure_reasons: [
      { reason: '空き容量が足りません', count: Math.round(failed * 0.6) },
      { reason: 'The archive is damaged: unexpected end of file', count: Math.round(failed * 0.3) },
      { reason: null, count: Math.round(failed * 0.1) },
    ],
  };
};

const history = () => {
  const now = Date.now();
  return Array.from({ length: 60 }, (_, index) => {
    const { states, targeted } = of(1000, 0.6 * (index / 59) ** 2);
    const failed = Math.round(states.failed * (index / 59));
    const onTheWay = Math.round(20 + 100 * Math.sin((index / 59) * 3.1) ** 2);
    return {
      at: new Date(now - (59 - index) * 60_000).toISOString().replace(/\.\d+/, ''),
      devices: targeted.devices,
      installed: states.installed,
      on_the_way: onTheWay,
      failed,
      not_yet: targeted.devices - states.installed - onTheWay - failed,
    };
  });
};

const names = ['佐藤 花子', 'Taro Yamada', '鈴木 一郎', 'Maximilian Featherstonehaugh-Cholmondeley'];
const states = ['installed', 'failed', 'downloading', 'downloaded', 'seen', 'not_seen', 'removed'];

const devices = () =>
  Array.from({ length: 8 }, (_, index) => {
    const status = states[index % states.length];
    return {
      user: { id: index + 1, name: names[index % names.length], login_id: `person${index}@example.com` },
      device: {
        uuid: `device-${index}`,
        name: index % 3 === 2 ? '' : `Tablet ${index}`,
        os_type: index % 2 ? 'android' : 'ios',
        os_version: '17.2',
        player_version: '3.1.0',
      },
      version: 2,
      status,
      reason: status === 'failed' ? '空き容量が足りません' : null,
      progress: status === 'downloading' ? 0.42 : null,
      at: status === 'not_seen' ? null : '2026-11-25T10:00:00Z',
      told_by: status === 'not_seen' ? null : status === 'downloaded' ? 'gateway' : 'player',
    };
  });

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+/, '');

/** A version that has halted by itself at its first stage after the pilot, or one that goes on. */
const rolloutOf = (isHalted: boolean) => ({
  version: 2,
  state: isHalted ? 'halted' : 'running',
  stage: 2,
  percent: 10,
  stages: [
    { stage: 1, percent: 100, group_ids: [1], after: null, started_at: ago(180), due_at: null },
    { stage: 2, percent: 10, group_ids: null, after: 'PT2H', started_at: ago(60), due_at: null },
    {
      stage: 3,
      percent: 50,
      group_ids: null,
      after: 'P1D',
      started_at: null,
      due_at: isHalted ? null : ago(-1380),
    },
    { stage: 4, percent: 100, group_ids: null, after: null, started_at: null, due_at: null },
  ],
  halt: { failure_percent: 20, min_reports: 50 },
  reports: isHalted ? 54 : 41,
  failures: isHalted ? 12 : 3,
  started_at: ago(180),
  halted_at: isHalted ? ago(3) : null,
  halted_by: null,
});

const versionOf = (version: number, more: object) => ({
  version,
  state: 'former',
  file_name: 'tour.uap',
  file_size: 2 ** 21,
  sha256: '7327aab05323c0cd1922e8deab63c4e8c3acb1b87b3b5309e950faf1c1f94cac',
  note: '',
  created_at: ago(200),
  created_by: { id: 1, name: '佐藤 花子' },
  live_from: ago(180),
  live_until: null,
  restored_from: null,
  rollout: null,
  signed_url: 'http://portal.test/storage/1',
  ...more,
});

const versionsOf = (rollout: object | null, more: object = {}) => ({
  current_page: 1,
  total_page: 1,
  total_count: 2,
  versions: [
    versionOf(2, { state: 'current', note: '起動画面を新しくしました。', rollout, ...more }),
    versionOf(1, { live_from: ago(9000), live_until: ago(180), ...more }),
  ],
});

/** Stages that go on or have halted, or none, beside `showDelivery`. */
export async function showRollout(page: Page, state: 'halted' | 'none' | 'running'): Promise<void> {
  const rollout = state === 'none' ? null : rolloutOf(state === 'halted');
  await page.route(/\/files\/1\/rollout$/, (route) => route.fulfill({ json: rollout }));
  await page.route(/\/files\/1\/versions(?:\?.*)?$/, (route) => route.fulfill({ json: versionsOf(rollout) }));
}

/** The same of an application that three companies have, beside its versions and the numbers of each. */
export async function showApplicationRollout(page: Page): Promise<void> {
  const { stages, ...halted } = rolloutOf(true);
  // Applications have no pilots.
  const rollout = {
    ...halted,
    stage: 1,
    stages: stages.slice(1).map((one, index) => ({ ...one, stage: index + 1 })),
  };
  const at = '/admin/applications/4';
  await page.route(new RegExp(`${at}/rollout$`), (route) => route.fulfill({ json: rollout }));
  await page.route(new RegExp(`${at}/versions(?:\\?.*)?$`), (route) =>
    route.fulfill({ json: versionsOf(rollout, { signed_url: null }) }),
  );
  await page.route(new RegExp(`${at}/delivery(?:\\?.*)?$`), (route) =>
    route.fulfill({
      json: {
        current_page: 1,
        total_page: 1,
        total_count: 3,
        ...of(1000, 0.1),
        version: 2,
        versions: [{ ...of(1000, 0.1), version: 2 }],
        partners: [
          { ...of(600, 0.12), id: 1, name: '株式会社サンプル' },
          { ...of(380, 0.08), id: 2, name: 'Field Service Company of the Northern Region' },
          { ...of(0, 0), id: 3, name: 'Gamma' },
        ],
      },
    }),
  );
}

/** A delivery under way instead of that of the demo, for as long as the page is looked at. */
export async function showDelivery(page: Page): Promise<void> {
  const whole = of(1000, 0.6);
  await page.route(/\/files\/1\/delivery$/, (route) =>
    route.fulfill({
      json: {
        ...whole,
        version: 2,
        versions: [
          { ...whole, version: 2 },
          { ...of(120, 0.9), version: 1 },
        ],
        groups: [
          { ...of(700, 0.65), id: 3, name: '営業部' },
          { ...of(400, 0.5), id: 4, name: 'Field service of the northern region' },
        ],
      },
    }),
  );
  await page.route(/\/files\/1\/delivery\/history(?:\?.*)?$/, (route) =>
    route.fulfill({ json: { version: 2, points: history() } }),
  );
  await page.route(/\/files\/1\/delivery\/devices(?:\?.*)?$/, (route) =>
    route.fulfill({
      json: { current_page: 1, total_page: 125, total_count: 1000, devices: devices() },
    }),
  );
  await page.route(/\/users\/\d+\/delivery(?:\?.*)?$/, (route) =>
    route.fulfill({
      json: {
        current_page: 1,
        total_page: 1,
        total_count: 3,
        devices: devices()
          .slice(0, 3)
          .map(({ user: _user, ...row }, index) => ({
            ...row,
            file: { id: index + 1, name: `Tour ${index}` },
          })),
      },
    }),
  );
}
