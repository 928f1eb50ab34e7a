import { z } from 'zod';

export const config = z
  .object({
    DEMO: z.string().default('1'),
    /** off: nobody is held to so many mails with links in an hour. */
    RATE_LIMIT: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  })
  .refine((env) => env.RATE_LIMIT === 'on' || env.DEMO === '1', {
    error: 'off is for DEMO=1 alone',
    path: ['RATE_LIMIT'],
  })
  .transform((env) => ({ rationed: env.RATE_LIMIT === 'on' }));
export type Config = z.output<typeof config>;
