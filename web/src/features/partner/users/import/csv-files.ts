import { csvLine } from '@portal/contracts';

/** What the template shows besides the header: one user of each kind, and one who goes. */
export const exampleRows = [
  ['Yamada Taro', '', 'taro-yamada', 'Passw0rd-1', '{"seat": 4}', '', '0'],
  ['Suzuki Hanako', 'hanako@example.com', '', '', '', '', '0'],
  ['', '', 'left-company', '', '', '', '1'],
] as const;

/** A CSV file in UTF-8, which spreadsheets know by its mark. */
export function csvBlob(rows: readonly (readonly string[])[]): Blob {
  return new Blob(['\uFEFF', ...rows.map(csvLine)], { type: 'text/csv' });
}
