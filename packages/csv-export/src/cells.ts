import { formulaPattern, formulaStarts } from '@portal/contracts';
import { type Sql, sql } from './sql.ts';

/**
 * What stands in a cell of a CSV that PostgreSQL writes itself, as `csvLine` has it for rows that come through JavaScript. A
 * test holds the two to each other.
 */

/** By their code points, with the quote. */
const firstCharacters = [...formulaStarts, "'"].map((character) => character.codePointAt(0)).join();

/** A column of text; COPY quotes what has to be. The first character, which costs less than a pattern, decides nearly always. */
export function csvText(column: Sql): Sql {
  return sql`CASE WHEN ascii(${column}) IN (${sql.raw(firstCharacters)}) AND ${column} ~ ${formulaPattern}
    THEN '''' || ${column} ELSE nullif(${column}, '') END`;
}

/** `YYYY-MM-DD HH:mm:ss` in a time zone. Throws `RangeError` for a zone that does not exist. */
export function csvDateTime(timeZone: string): (date: Date) => string {
  // The Swedish form is the one wanted.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (date) => format.format(date);
}

/** A column of times, in the zone of `inZone`. */
export function csvTime(column: Sql): Sql {
  return sql`date_trunc('second', ${column}::timestamp)`;
}

/**
 * Makes `csvTime` tell times in a zone for the rest of the transaction; naming the zone at each time would cost three times
 * as much. PostgreSQL takes the sign of an offset for its opposite, unless it is an interval.
 */
export function inZone(timeZone: string): Sql {
  return /^[+-]/.test(timeZone)
    ? sql`SET LOCAL TIME ZONE INTERVAL ${timeZone} HOUR TO MINUTE; SET LOCAL DateStyle = 'ISO'`
    : sql`SET LOCAL TIME ZONE ${timeZone}; SET LOCAL DateStyle = 'ISO'`;
}
