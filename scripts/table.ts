/** Lines of columns for people: text to the left, numbers to the right, a line of names above, an empty line below. */
export function table(names: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const widths = names.map((name, column) =>
    Math.max(name.length, ...lines.map((line) => String(line[column]).length)),
  );
  const padded = (line: readonly (string | number)[]) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const isNumber = typeof lines[0]?.[column] === 'number';
        return isNumber ? String(cell).padStart(width) : String(cell).padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return `${[names, ...lines].map(padded).join('\n')}\n`;
}
