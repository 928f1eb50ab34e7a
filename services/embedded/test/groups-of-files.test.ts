import { send, signIn, uploadFile } from '@portal/testing/http-client';
import { type SharedProduct, sharedProduct } from '@portal/testing/shared-product';
import { beforeAll, expect, test } from 'vitest';

/** The user service owns groups and the file service their files; each learns of the other's changes later, by events. */

let product: SharedProduct;
let token: string;
beforeAll(async () => {
  product = await sharedProduct();
  token = await signIn(product, '1000', 'partner@example.com');
});

const rounds = 20;
const tenant = '/v1/partner/partners/1';

let names = 0;

async function newGroup(): Promise<number> {
  const { body } = await send(product, 'POST', `${tenant}/groups`, {
    token,
    body: { name: `Team ${++names}` },
  });
  return Number(body.id);
}

const newFile = async () =>
  uploadFile(product, token, {
    partnerId: 1,
    name: `File ${++names}`,
    fileName: `file-${names}.uap`,
    content: Buffer.from('bytes'),
  });

/** The code of the refusal, or 200. */
async function outcomeOf(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await send(product, method, `${tenant}/${path}`, { token, body });
  return reply.status === 200 ? 200 : reply.body.code;
}

const assign = async (file: number, groups: number[]) =>
  outcomeOf('PUT', `files/${file}/groups`, { group_ids: groups });
const remove = async (group: number) => outcomeOf('DELETE', `groups/${group}`);

async function groupsOf(file: number): Promise<number[]> {
  const { body } = await send(product, 'GET', `${tenant}/files/${file}`, { token });
  return (body.groups as { id: number }[]).map(({ id }) => id);
}

test('When a group is made and a file assigned to it at once, then it is there, by its name', async () => {
  const file = await newFile();
  for (let round = 0; round < rounds; round += 1) {
    const group = await newGroup();
    const name = `Team ${names}`;
    expect(await assign(file, [0, group])).toBe(200);
    const { body } = await send(product, 'GET', `${tenant}/files/${file}`, { token });
    expect(body.groups).toContainEqual({ id: group, name });
  }
});

test('When a file is assigned to a group and the group deleted at once, then the group stays and so does the delivery', async () => {
  const file = await newFile();
  const assigned: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const group = await newGroup();
    expect(await assign(file, [0, ...assigned, group])).toBe(200);
    expect(await remove(group)).toBe('E40028');
    assigned.push(group);
  }
  expect(await groupsOf(file)).toEqual([0, ...assigned]);
});

test('When both are done at the same moment, then one is refused', async () => {
  const delivered: { file: number; group: number; outcome: unknown }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [file, group] = [await newFile(), await newGroup()];
    const assigning = () => assign(file, [0, group]);
    const removing = () => remove(group);
    const [outcome, removal] =
      round % 2
        ? await Promise.all([assigning(), removing()])
        : (await Promise.all([removing(), assigning()])).reverse();
    expect([
      [200, 'E40028'],
      ['E40404', 200],
    ]).toContainEqual([outcome, removal]);
    delivered.push({ file, group, outcome });
  }
  // No later event of either service changes that.
  for (const { file, group, outcome } of delivered)
    expect(await groupsOf(file)).toEqual(outcome === 200 ? [0, group] : []);
});

test('When a file is taken from a group, then the group can be deleted as soon as that is known', async () => {
  const [file, group] = [await newFile(), await newGroup()];
  expect(await assign(file, [group])).toBe(200);
  expect(await assign(file, [])).toBe(200);
  await expect.poll(async () => remove(group), { timeout: 10_000 }).toBe(200);
});
