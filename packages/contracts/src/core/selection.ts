import { z } from 'zod';
import { bodyId } from './fields.ts';
import { limits } from './limits.ts';
import type { FieldMessageKey } from './messages.ts';

/** What is selected in a list: records by their ids, or all that its filter shows, with the number that the person saw. */
export interface Selection<Filter> {
  readonly ids?: readonly number[] | undefined;
  readonly filter?: Filter | undefined;
  readonly expectedCount?: number | undefined;
}

/**
 * The body of a call that changes many records of a list: exactly one of `ids` and `filter`, which has the names of the list's
 * own query; `more` are the fields of the change.
 */
export function selection<F extends z.ZodRawShape, M extends z.ZodRawShape>(
  filters: z.ZodObject<F>,
  more: M,
) {
  return z
    .object({
      ids: z.array(bodyId).min(1).max(limits.maxIdsPerDelete).optional(),
      filter: z.strictObject(filters.shape).optional().describe('Filters of the list, with `q`; {} is all'),
      expectedCount: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe(
          `Required with \`filter\`: how many it shows, at most ${limits.maxSelected}. If it is another number by now, nothing is done`,
        ),
      ...more,
    })
    .superRefine((body, context) => {
      const { expectedCount, filter, ids } = body as Selection<unknown>;
      const refuse = (field: string, message: FieldMessageKey) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (ids === undefined && filter === undefined) refuse('ids', 'idsOrFilter');
      else if (ids !== undefined && filter !== undefined) refuse('filter', 'idsAndFilter');
      else if (filter !== undefined && expectedCount === undefined)
        refuse('expectedCount', 'countWithFilter');
      else if (expectedCount !== undefined && expectedCount > limits.maxSelected)
        refuse('expectedCount', 'tooManySelected');
    });
}
