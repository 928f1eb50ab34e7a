import type { ServiceEntry } from '@portal/contracts';

/** Its entry in the registry. */
export const noticeEntry = {
  port: 8087,
  engines: ['database', 'storage'],
  // And the topic `portal.notice`, which the registry's list of topics would have to name.
  topics: ['portal.batch'],
  asks: ['tenant'],
  secrets: [],
} as const satisfies ServiceEntry;
