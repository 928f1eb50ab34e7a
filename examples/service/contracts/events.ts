import { eventsOn } from '@portal/contracts';
import { z } from 'zod';

const defineEvent = eventsOn<'portal.notice'>();

export const noticePublished = defineEvent({
  type: 'notice.published',
  topic: 'portal.notice',
  summary: 'A notice was published.',
  key: 'noticeId',
  tenant: 'always',
  data: z.object({ noticeId: z.number().int(), name: z.string() }),
  example: { noticeId: 1, name: 'Summer closing days' },
});
