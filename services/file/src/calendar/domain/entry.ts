import type { calendarRoutes } from '@portal/contracts';

export type CalendarKind = calendarRoutes.CalendarKind;

/** Something that is planned, or came to be. */
export interface CalendarEntry {
  readonly kind: CalendarKind;
  /** What it is called as long as it is the same thing, at whatever time. */
  readonly key: string;
  readonly at: Date;
  readonly title: string;
  readonly fileId: number | null;
  readonly version: number | null;
  readonly notificationId: number | null;
  readonly certificationId: number | null;
  readonly movable: boolean;
}
