/** A cell that a spreadsheet would take for a formula becomes text by a single quote. */
export function csvCell(text: string): string {
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}

/** `YYYY-MM-DD HH:mm:ss` in a time zone. Throws `RangeError` for a zone that does not exist. */
export function csvDateTime(timeZone: string): (date: Date) => string {
  // The Swedish form is the one wanted.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (date) => format.format(date);
}
