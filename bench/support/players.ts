import autocannon from 'autocannon';

/** A player that asks in the place of many. */
export interface Player {
  readonly token: string;
  cursor: string;
  /** The files that a look has brought, and after how many seconds they may be downloaded. */
  readonly brought: Map<number, number>;
}

const connections = 64;

const pathOf = ({ cursor }: Player) =>
  `/v1/user/files?per_page=100${cursor === '' ? '' : `&since=${encodeURIComponent(cursor)}`}`;
const headersOf = ({ token }: Player) => ({ authorization: `Bearer ${token}`, 'x-agent': 'bench/1.0.0' });

/** A look at all that there is. */
export async function look(url: string, player: Player): Promise<void> {
  const response = await fetch(`${url}${pathOf(player)}`, { headers: headersOf(player) });
  if (!response.ok) throw new Error(`A look is answered with ${response.status}`);
  take(player, Buffer.from(await response.arrayBuffer()));
}

function take(player: Player, body: Buffer): void {
  const answer = JSON.parse(body.toString()) as {
    cursor: string;
    files: readonly { id: number; download_after: number }[];
  };
  player.cursor = answer.cursor;
  for (const file of answer.files) player.brought.set(file.id, file.download_after);
}

/**
 * Update checks of players in turn, at an even pace.
 * @param before called with each player before it looks
 * @throws Error when a look fails
 */
export async function checksOf(
  url: string,
  players: readonly Player[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  before: (player: Player, place: number) => void = () => undefined,
): Promise<autocannon.Result> {
  let next = 0;
  const result = await autocannon({
    url,
    connections,
    overallRate: perSecond,
    duration: seconds,
    setupClient(client) {
      let asking = players[0] as Player;
      const turn = () => {
        const place = next++ % players.length;
        asking = players[place] as Player;
        before(asking, place);
        return { method: 'GET' as const, path: pathOf(asking), headers: headersOf(asking) };
      };
      client.setRequests([{ ...turn(), setupRequest: (request) => ({ ...request, ...turn() }) }]);
      client.on('body', (body: Buffer) => take(asking, body));
    },
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} looks failed`);
  return result;
}
