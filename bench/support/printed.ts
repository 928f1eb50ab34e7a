/** A figure as a version knows it that tells its figures in words alone. */
export interface PrintedFigure {
  readonly what: string;
  /** What the words give; undefined where they are rounded too much to compare. */
  readonly value: number | undefined;
}

/** The figures in the table that the benchmarks end with: `| what | target | measured | how |`. */
export function printedFigures(output: string): PrintedFigure[] {
  const rows = output
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| what |') && !line.startsWith('| --- |'));
  return rows.map((row) => {
    const [what = '', , measured = '', detail = ''] = row.slice(2, -2).split(' | ');
    return { what, value: valueOf(measured, detail) };
  });
}

function valueOf(measured: string, detail: string): number | undefined {
  // Both numbers of a rate are printed with more digits than their percentage.
  const [, ours, raw] = /^([\d,]+) and ([\d,]+) \w+\/s/.exec(detail) ?? [];
  if (ours && raw) return numberOf(ours) / numberOf(raw);
  const [text] = /^[\d,.]+/.exec(measured) ?? [];
  // One digit is rounded by up to a half.
  return text && text.replace(/\D/g, '').length > 1 ? numberOf(text) : undefined;
}

const numberOf = (text: string) => Number(text.replaceAll(',', ''));
