/**
 * Characters that a spreadsheet may take for the beginning of a formula when a cell begins with them: the four signs, what a
 * Japanese or mathematical keyboard gives for them and some programs fold into them (U+2212 becomes U+FF0D in CP932), and
 * the white space that programs trim before they look. Everything that reads or writes CSV uses this table.
 */
export const formulaStarts = '=+-@\t\r\n＝＋－＠−﹢﹣﹦﹫';

const signs = `[${formulaStarts.replace('-', '\\-')}]`;
/** The quotes belong to it: a cell that would be taken for a quoted one is quoted as well. */
export const formulaPattern = `^'*${signs}`;
const formula = new RegExp(formulaPattern);
const quotedFormula = new RegExp(`^'+${signs}`);

/** Puts a single quote before what a spreadsheet would take for a formula. */
export function withFormulaQuote(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Takes off the one quote that `withFormulaQuote` has put there: what was before comes back in every case. */
export function withoutFormulaQuote(cell: string): string {
  return quotedFormula.test(cell) ? cell.slice(1) : cell;
}

/** A line as in RFC 4180, with its end. In no cell of text does a formula begin. */
export function csvLine(cells: readonly (number | string)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: number | string): string {
  if (typeof value === 'number') return String(value);
  const cell = withFormulaQuote(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
