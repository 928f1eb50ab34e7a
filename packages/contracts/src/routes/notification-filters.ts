import { z } from 'zod';
import { dateTime, exportedIds, oneOrMoreOf, searchText, text } from '../core/fields.ts';

/** Apart from the calls that take them: exports have the same, and the web client loads those with the first list. */

export const notificationStatuses = ['waiting', 'delivering', 'success', 'failure'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

/** What the list of notifications is filtered by. */
export const notificationFilters = z.object({
  q: searchText.optional(),
  title: text(255).optional(),
  status: oneOrMoreOf(notificationStatuses).optional(),
  deliverDatetimeStart: dateTime.optional(),
  deliverDatetimeEnd: dateTime.optional(),
  createdAtStart: dateTime.optional(),
  createdAtEnd: dateTime.optional(),
});

/** What an export of notifications is narrowed to. */
export const notificationExportFilters = notificationFilters.extend({ ids: exportedIds });
