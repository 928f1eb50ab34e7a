export { csvDateTime, csvText, csvTime } from './cells.ts';
export type { CsvExport } from './csv-export.ts';
export { csvStream } from './csv-stream.ts';
export { exportJobs, keepExportTasks } from './exporter.ts';
export { type Sql, sql } from './sql.ts';
export { knownTimeZone } from './time-zone.ts';
