import { z } from 'zod';

/** The settings of this service: none of its own. */
export const fileConfig = z.object({});

export type FileConfig = z.output<typeof fileConfig>;
