import { z } from 'zod';

/** It has no settings of its own. */
export const config = z.object({});
export type Config = z.output<typeof config>;
