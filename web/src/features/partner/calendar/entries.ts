import { calendarRoutes, type RouteReply } from '@portal/contracts';
import {
  BadgeCheck,
  BellRing,
  CalendarX,
  FolderDown,
  Layers,
  type LucideIcon,
  RefreshCw,
} from 'lucide-react';
import { fileDetailPath } from '../../../components/files/file.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { type Day, dayOf } from './calendar-days.ts';

export type Entry = RouteReply<typeof calendarRoutes.getCalendar>['entries'][number];
export type Kind = Entry['kind'];

export const kinds = calendarRoutes.calendarKinds;

/** Kinds differ by their icon and their name; the colour alone says nothing. */
export const kindLooks: Readonly<Record<Kind, { readonly icon: LucideIcon; readonly palette: string }>> = {
  delivery: { icon: FolderDown, palette: 'accent' },
  update: { icon: RefreshCw, palette: 'accent' },
  stage: { icon: Layers, palette: 'success' },
  push: { icon: BellRing, palette: 'gray' },
  certificate_end: { icon: BadgeCheck, palette: 'warning' },
  licence_end: { icon: CalendarX, palette: 'danger' },
};

/** What tells an entry from all others on the page. */
export const keyOf = ({ at, certificationId, fileId, kind, notificationId, version }: Entry): string =>
  [kind, at, fileId, version, notificationId, certificationId].join(' ');

/** Those that move, of which the calls are known. */
export type MovableEntry = Entry & { readonly kind: 'delivery' | 'update'; readonly fileId: number };

export const isMovable = (entry: Entry): entry is MovableEntry =>
  entry.movable && (entry.kind === 'delivery' || entry.kind === 'update') && entry.fileId !== null;

/** By day, each in the order of time. */
export const byDay = (entries: readonly Entry[]): ReadonlyMap<Day, readonly Entry[]> =>
  Map.groupBy(entries, ({ at }) => dayOf(new Date(at)));

/** Where one sees more of an entry, and what the way there is called. */
export function pageOf(
  { certificationId, fileId, kind, notificationId }: Entry,
  company: string,
): { to: string; label: 'file' | 'push' | 'certificate' | 'licence' } {
  if (kind === 'push') {
    return {
      to: editLink('/partner/push-notifications/detail/', notificationId ?? 0, company),
      label: 'push',
    };
  }
  if (kind === 'certificate_end') {
    return {
      to: editLink('/partner/certifications/detail/', certificationId ?? 0, company),
      label: 'certificate',
    };
  }
  if (kind === 'licence_end') return { to: '/partner/summary', label: 'licence' };
  return { to: editLink(fileDetailPath, fileId ?? 0, company), label: 'file' };
}
