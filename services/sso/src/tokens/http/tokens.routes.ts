import { ssoTokenRoutes as routes } from '@portal/contracts';
import { concernsRecord, type Implementation, implement, ofPartner } from '@portal/service-kit';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { deleteToken, insertToken, listTokens } from '../data/token-repository.ts';
import { hashOf, makeToken } from '../domain/token.ts';

export function tokensRoutes(deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>): Implementation[] {
  const { clock, store } = deps;
  return [
    implement(routes.listProvisioningTokens, async ({ params: { pid } }) =>
      store.read(ofPartner(pid), async (db) => listTokens(db, pid)),
    ),

    implement(routes.createProvisioningToken, async ({ body: { name }, params: { pid } }) => {
      const token = makeToken();
      const hash = hashOf(token);
      if (!hash) throw new Error('A token that was made has another form');
      await knowPartner(deps, pid);
      const id = await store.write(ofPartner(pid), async ({ db }) =>
        insertToken(db, pid, { name, hash }, clock.now()),
      );
      concernsRecord({ id, name });
      return { id, token };
    }),

    implement(routes.deleteProvisioningToken, async ({ params: { id, pid } }) => {
      const name = await store.write(ofPartner(pid), async ({ db }) => deleteToken(db, pid, id));
      concernsRecord({ id, name });
      return {};
    }),
  ];
}
