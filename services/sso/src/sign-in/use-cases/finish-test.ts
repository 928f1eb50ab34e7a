import type { RouteReply, ssoSignInRoutes } from '@portal/contracts';
import { findPartner, provideSsoUser } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { Claims } from '../../saml/domain/claims.ts';
import { Refusal } from '../../saml/domain/refusal.ts';
import { findSetting } from '../../settings/data/setting-repository.ts';
import type { SamlRequest } from '../data/request-repository.ts';
import { findTest, keepResult } from '../data/test-repository.ts';
import type { Person } from '../domain/person.ts';
import { reasonOf } from '../domain/reason.ts';

export type TestResult = RouteReply<typeof ssoSignInRoutes.getSsoTest>;

/** What is not known yet. */
export const waiting: TestResult = {
  state: 'waiting',
  identifier: null,
  name: null,
  userId: null,
  groups: [],
  attributes: [],
  reason: null,
};

/** Of an answer that a person reads. */
const most = { attributes: 100, values: 100, characters: 300 };

/**
 * Keeps what would come of the sign-in of a test, which changes nothing else.
 * @returns the page on which its window ends
 */
export async function finishTest(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'publicUrl' | 'store'>,
  { partnerId, testId }: Pick<SamlRequest, 'partnerId' | 'testId'>,
  read: (() => Promise<{ claims: Claims; person: Person }>) | null,
): Promise<string> {
  const { clock, peers, publicUrl, store } = deps;
  const id = testId ?? '';
  const result = read
    ? await resultOf(deps, partnerId, read)
    : { ...waiting, state: 'refused', reason: 'E40401' };
  const test = await store.write(ofPartner(partnerId), async ({ db }) => {
    await keepResult(db, id, result);
    return findTest(db, id, clock.now());
  });
  if (!test?.reached) return `${publicUrl}/partner/sso/test?${new URLSearchParams({ test: id })}`;
  const { name } = await peers.call(findPartner, { body: { partnerId } });
  const place = new URLSearchParams({ id: String(partnerId), pn: name, test: id });
  return `${publicUrl}/admin/partners/sso/test?${place}`;
}

async function resultOf(
  { peers, store }: Pick<Dependencies, 'peers' | 'store'>,
  partnerId: number,
  read: () => Promise<{ claims: Claims; person: Person }>,
): Promise<TestResult> {
  let told = waiting;
  try {
    const { claims, person } = await read();
    const { groupNames, identifier, name } = person;
    told = { ...told, identifier, name, attributes: shown(claims) };
    const setting = await store.read(ofPartner(partnerId), (db) => findSetting(db, partnerId));
    const coming = {
      partnerId,
      identifier,
      name,
      preview: true,
      ...(groupNames && { groupNames: [...groupNames] }),
      ...(setting?.defaultGroup != null && { defaultGroupId: setting.defaultGroup }),
    };
    const as = async (client: 'player' | 'portal') =>
      peers.call(provideSsoUser, { body: { ...coming, client } });
    // Whoever tries it is a company admin, and may be no user.
    const { groups, userId } = await as('player').catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'E40301') return as('portal');
      throw error;
    });
    const known = new Set(groups.map((group) => group.name));
    const names = new Set([...known, ...(groupNames ?? []).slice(0, most.values)]);
    return {
      ...told,
      state: 'accepted',
      userId,
      groups: [...names].map((group) => ({ name: cut(group), known: known.has(group) })),
    };
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof AppError)) throw error;
    return { ...told, state: 'refused', reason: reasonOf(error) };
  }
}

const shown = ({ attributes, nameId }: Claims): TestResult['attributes'] =>
  [['NameID', [nameId]] as const, ...Object.entries(attributes)]
    .slice(0, most.attributes)
    .map(([name, values]) => ({ name: cut(name), values: values.slice(0, most.values).map(cut) }));

const cut = (text: string): string => [...text].slice(0, most.characters).join('');
