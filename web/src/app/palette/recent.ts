import { z } from 'zod';
import type { Session } from '../../lib/session/session-store.ts';

/** What was chosen in the palette; the text of a record is that of the moment. */
const choice = z.object({ id: z.string(), text: z.string(), to: z.string() });
export type Choice = z.output<typeof choice>;

const most = 5;
const prefix = 'portal.palette.';

/** Of one person in this tab: nobody else gets to see the names. */
const keyOf = (session: Session) =>
  `${prefix}${session.kind === 'admin' ? session.email : `${session.partner.id}.${session.user.id}`}`;

/** The last choices, newest first. */
export function recentChoices(session: Session): readonly Choice[] {
  try {
    return z.array(choice).parse(JSON.parse(sessionStorage.getItem(keyOf(session)) ?? '[]'));
  } catch {
    return [];
  }
}

export function rememberChoice(session: Session, chosen: Choice): void {
  const others = recentChoices(session).filter(({ id }) => id !== chosen.id);
  sessionStorage.setItem(keyOf(session), JSON.stringify([chosen, ...others].slice(0, most)));
}

/** At the end of a session. */
export function forgetChosen(storage: Storage = sessionStorage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
}
