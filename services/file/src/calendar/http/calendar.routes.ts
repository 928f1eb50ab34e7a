import { formatDateTime, formatNullableDateTime, calendarRoutes as routes } from '@portal/contracts';
import { type Implementation, implement, type Peers } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import {
  admitByToken,
  createCalendarToken,
  deleteCalendarToken,
  getCalendarToken,
} from '../use-cases/calendar-token.ts';
import { readCalendar } from '../use-cases/read-calendar.ts';
import { writeCalendarFile } from '../use-cases/write-calendar-file.ts';

/** The calendar of a tenant, on the screen and for calendar programs. */
export function calendarRoutes(
  deps: Dependencies & { readonly peers: Peers; readonly publicUrl: string },
): Implementation[] {
  return [
    implement(routes.getCalendar, async ({ params: { pid }, query: { kind, ...period } }) => {
      const kinds = kind ?? routes.calendarKinds;
      const { entries, more } = await readCalendar(deps, pid, { ...period, kinds });
      return {
        entries: entries.map(({ at, key: _key, ...entry }) => ({ ...entry, at: formatDateTime(at) })),
        more,
      };
    }),

    implement(routes.getCalendarFile, async ({ params: { pid }, query: { token } }) => {
      await admitByToken(deps, pid, token);
      return { content: await writeCalendarFile(deps, pid) };
    }),

    implement(routes.createCalendarToken, async ({ params: { pid } }, { caller: { accountId } }) => {
      const token = await createCalendarToken(deps, { partnerId: pid, accountId });
      return { token, url: `${deps.publicUrl}/v1/partner/partners/${pid}/calendar.ics?token=${token}` };
    }),

    implement(routes.getCalendarToken, async ({ params: { pid } }, { caller: { accountId } }) => {
      const { createdAt, lastUsedAt } = await getCalendarToken(deps, { partnerId: pid, accountId });
      return { createdAt: formatDateTime(createdAt), lastUsedAt: formatNullableDateTime(lastUsedAt) };
    }),

    implement(routes.deleteCalendarToken, async ({ params: { pid } }, { caller: { accountId } }) => {
      await deleteCalendarToken(deps, { partnerId: pid, accountId });
      return {};
    }),
  ];
}
