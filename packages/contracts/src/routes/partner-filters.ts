import { z } from 'zod';
import { dateTime, id, searchText, text } from '../core/fields.ts';
import { contractRanks, licenseTypes } from '../core/plans.ts';

/** Apart from the calls that take them: exports have the same, and the web client loads those with the first list. */
export const partnerFilters = z.object({
  q: searchText.optional(),
  name: text(255).optional(),
  code: text(64).optional(),
  unitId: id.optional(),
  contractRank: z.enum(contractRanks).optional(),
  licenseType: z.enum(licenseTypes).optional(),
  licenseExpiredOnStart: dateTime.optional(),
  licenseExpiredOnEnd: dateTime.optional(),
  createdAtStart: dateTime.optional(),
  createdAtEnd: dateTime.optional(),
  bounceInfoStart: dateTime.optional().describe('With a mail that could not be delivered from this time on'),
  bounceInfoEnd: dateTime.optional(),
});
