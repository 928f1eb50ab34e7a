import type { batchEvents } from '@portal/contracts';
import type { Sql } from './sql.ts';

/** A CSV that a service can write of its rows. */
export interface CsvExport {
  readonly kind: string;
  /** UTF-8 has a BOM; Shift-JIS is CP932, and what it can't write becomes `?`. */
  readonly encoding: 'shiftJis' | 'utf8';
  rows(request: WantedCsv): CsvRows | Promise<CsvRows>;
}

export interface WantedCsv extends batchEvents.CsvRequest {
  /** Null: of all tenants, or of those of `unitId`. */
  readonly partnerId: number | null;
}

/** What PostgreSQL is asked; row-level security is in force besides. */
export interface CsvRows {
  /** A list of `expression AS "header"`, with text through `csvText` and times through `csvTime`. */
  readonly columns: Sql;
  /** All from FROM on, without its order. */
  readonly from: Sql;
  readonly orderBy: Sql;
}
