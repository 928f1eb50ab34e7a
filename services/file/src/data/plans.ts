import { keptPlan } from '@portal/database';

/**
 * Rows by indexes alone, to the end of the transaction, whatever the tables hold when a statement is planned: a plan that is kept from
 * when a table was small would read all of it ever after.
 */
export const plannedByIndex = [
  ...['seqscan', 'hashjoin', 'mergejoin', 'material', 'memoize'].map((way) => [`enable_${way}`, 'off']),
  ['plan_cache_mode', 'force_generic_plan'],
]
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ');

/** Sent ahead of what a player asks for: its statements look at few rows, and PostgreSQL takes ten times as long to plan as to run them. */
export const playerReads = { text: `SELECT ${keptPlan.text} ${plannedByIndex}`, values: [] };
