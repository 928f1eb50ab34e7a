import { allUserRoleBits, limits } from '@portal/contracts';
import { demoPassword, send, signIn, uploadFile } from '@portal/testing/http-client';

/** As long as `length`, and without a place to break it. */
const endless = (start: string, length: number = limits.nameMaxLength) => start.padEnd(length, 'x');
/** Labels have 63 letters at the most. */
const longDomain = `${endless('branch-of-the-company', 60)}.example.com`;

interface Records {
  readonly groups: readonly string[];
  readonly users: readonly {
    readonly name: string;
    readonly email?: string;
    readonly login_user_id?: string;
  }[];
  readonly admins: readonly { readonly name: string; readonly email: string }[];
  readonly files: readonly { readonly name: string; readonly fileName: string }[];
}

/** As they are typed every day. */
export const everydayNames = {
  groups: ['東日本営業推進本部', '西日本カスタマーサポート'],
  users: [
    { name: '佐々木 小次郎', email: 'kojiro.sasaki@sales.example.com' },
    { name: 'Alexandra Hasegawa', login_user_id: 'hasegawa-alexandra-kanto-03' },
  ],
  admins: [{ name: '小笠原 万里子', email: 'mariko.ogasawara@hq.example.com' }],
  files: [{ name: '2026年度上期 営業向け商品説明資料', fileName: '商品説明資料_2026年度上期_営業向け.uap' }],
} as const satisfies Records;

/** Longer than any column. */
export const endlessNames = {
  groups: [endless('Group')],
  users: [
    { name: 'Maximiliane '.repeat(12).trim(), email: `maximiliane.h@${longDomain}` },
    { name: endless('User'), login_user_id: endless('user', limits.loginUserIdMaxLength) },
  ],
  admins: [{ name: endless('Admin'), email: `admin@${longDomain}` }],
  files: [{ name: endless('File'), fileName: `${endless('file', 200)}.uap` }],
} as const satisfies Records;

/** Who signs in with a device that is called as long. */
const withDevice = endlessNames.users[1];

interface Portal {
  readonly url: string;
}

/**
 * Makes these records in the company of the demo data, every user and file in every group.
 * @returns the ids of the last group, user, admin and file
 */
export async function addRecords(portal: Portal, { groups, users, admins, files }: Records) {
  const company = '/v1/partner/partners/1';
  const token = await signIn(portal, '1000', 'partner@example.com');
  const call = async (method: string, path: string, body: object): Promise<number> => {
    const reply = await send(portal, method, `${company}/${path}`, { token, body });
    if (reply.status > 201) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return Number(reply.body.id);
  };
  const last = { group: 0, user: 0, admin: 0, file: 0 };
  const groupIds: number[] = [];
  for (const name of groups) {
    last.group = await call('POST', 'groups', { name, role: 0, note: name });
    groupIds.push(last.group);
  }
  for (const user of users) {
    const password = user.login_user_id ? { password: demoPassword } : {};
    const rights = { role: allUserRoleBits, group_ids: groupIds };
    last.user = await call('POST', 'users', { ...user, ...password, ...rights });
  }
  for (const admin of admins) last.admin = await call('POST', 'admins', { ...admin, password: demoPassword });
  for (const file of files) {
    last.file = await uploadFile(portal, token, { partnerId: 1, content: Buffer.from('x'), ...file });
    await call('PUT', `files/${last.file}/groups`, { group_ids: groupIds });
  }
  return last;
}

/** A device of the last of the endless users, with everything that is known of one. */
export async function addDevice(portal: Portal): Promise<void> {
  const { status } = await send(portal, 'POST', '/v2/partner/login', {
    body: {
      partner_code: '1000',
      login_user_id: withDevice.login_user_id,
      password: demoPassword,
      platform: {
        uuid: endless('device', 64),
        name: endless('Tablet', 200),
        os_type: 'Windows',
        os_version: endless('11.', 60),
        player_version: endless('5.', 60),
      },
    },
  });
  if (status !== 200) throw new Error(`The sign-in was answered with ${status}`);
}
