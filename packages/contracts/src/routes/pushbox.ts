import { z } from 'zod';
import { dateTimeText, text } from '../core/fields.ts';
import { pushLimits, pushServices } from '../core/push.ts';
import { route } from '../core/route.ts';

export const devPushbox = route({
  id: 'devPushbox',
  service: 'push',
  method: 'GET',
  path: '/dev/pushbox',
  summary:
    'What the stand-in for FCM and APNs of a demo installation has taken, newest first; for a browser, as a page. Otherwise not found.',
  access: { kind: 'public' },
  tries: 'none',
  query: z.object({
    token: text(pushLimits.tokenMaxLength).optional().describe('Only what went to this push token'),
  }),
  response: z.object({
    pushes: z.array(
      z.object({
        service: z.enum(pushServices),
        token: z.string(),
        title: z.string().nullable(),
        message: z.string(),
        json: z.string().nullable().describe('What the app gets as the key `json`'),
        id: z.string().describe('The same at each try: `apns-id`, or the collapse key of FCM'),
        receivedAt: dateTimeText,
      }),
    ),
  }),
  errors: ['E40401'],
});
