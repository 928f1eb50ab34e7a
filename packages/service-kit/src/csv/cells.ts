import { type Sql, sql } from './sql.ts';

/**
 * What stands in a cell of a CSV, for rows that come through JavaScript and for those that PostgreSQL writes itself. A test
 * holds the two to each other.
 *
 * A cell that a spreadsheet would take for a formula gets a single quote before it, and so does one that would be taken
 * for such a cell: whoever reads takes one quote away from what matches `^'+[=+\-@]`, and has what was there.
 */
const needsQuote = "^'*[=+@-]";
const formula = new RegExp(needsQuote);

export function csvCell(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** A column of text. The first character, which costs less than a pattern, decides nearly always. */
export function csvText(column: Sql): Sql {
  return sql`CASE WHEN ascii(${column}) IN (39, 43, 45, 61, 64) AND ${column} ~ ${needsQuote}
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
