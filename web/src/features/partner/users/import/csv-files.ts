/** What the template shows besides the header: one user of each kind, and one who goes. */
export const exampleRows = [
  ['Yamada Taro', '', 'taro-yamada', 'Passw0rd-1', '{"seat": 4}', '', '0'],
  ['Suzuki Hanako', 'hanako@example.com', '', '', '', '', '0'],
  ['', '', 'left-company', '', '', '', '1'],
] as const;

/** A CSV file in UTF-8, which spreadsheets know by its mark. */
export function csvBlob(rows: readonly (readonly string[])[]): Blob {
  const text = rows.map((row) => row.map(quoted).join(',')).join('\r\n');
  return new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' });
}

function quoted(cell: string): string {
  const safe = /^'*[=+\-@]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
