import { z } from 'zod';

/** Those whom a change concerns in one way. */
const concerned = z.object({
  users: z.number().int(),
  devices: z.number().int(),
  names: z.array(z.string()).meta({ description: 'Of the first 20, by their names' }),
});

/** What a change does to those who get a file. */
export const effect = z.object({
  gains: concerned.meta({ description: 'Who has no version of the file, and will' }),
  loses: concerned.meta({ description: 'Who has one, and will have none' }),
  changes: concerned.meta({ description: 'Who will have another version than now' }),
  bytes: z.number().int().meta({
    description: 'What will be sent: the size of the version, for each device that gains or changes',
  }),
});
