import type { ScopedConnection } from '@portal/database';
import { invalidCursor, readCursor, writeCursor } from '../cursor.ts';
import type { DocumentPage, JsonObject, ListRequest, StoredDocument } from '../document-store.ts';
import { pick } from '../fields.ts';
import type { Sort } from '../sort.ts';
import { type Collection, isNamed } from './collections.ts';
import { conditionOf, Parameters } from './filter-sql.ts';
import { findByIndex } from './find-by-index.ts';
import { behind, sortOf } from './sort-sql.ts';
import type { DocumentRow } from './write.ts';

interface ListRow extends DocumentRow {
  readonly total: string;
  readonly keys: readonly Buffer[];
}

/** Bytes of keys for which a cursor has room; where they are more, the document tells them again, if it is still there. */
const mostInCursor = 1_900;

export async function listDocuments(
  connection: ScopedConnection,
  collection: Collection,
  { after, fields, filter, page = 1, perPage, sort = [] }: ListRequest,
): Promise<DocumentPage> {
  const parameters = new Parameters();
  const id = parameters.add(collection.id);
  const isThere = isNamed(id, parameters.add(collection.ref.collection));
  const ids = filter && (await findByIndex(connection, collection, filter));
  const conditions = [
    `d.collection_id = ${id}`,
    isThere,
    ...(ids ? [`d.id = ANY (${parameters.add(ids)}::text[])`] : []),
    ...(filter ? [conditionOf(filter, parameters)] : []),
  ];
  const { keys, order } = sortOf(sort, parameters);
  const place =
    after === undefined ? undefined : await placeOf(connection, collection, sort, keys.length, after);
  const beyond = place ? behind(sort, place, parameters) : 'TRUE';
  const named = keys.map((key, at) => `, ${key} AS key${at}`).join('');
  const keyList = keys.map((_, at) => `page.key${at}`).join(', ');
  // A filter is gone through once, for the page and for how many there are. Without one the collection knows how many.
  const { rows } = await connection.query<ListRow>({
    text: `WITH matching AS ${filter ? 'MATERIALIZED' : 'NOT MATERIALIZED'} (
        SELECT d.id${named} FROM documents.documents d WHERE ${conditions.join(' AND ')}
      ), page AS MATERIALIZED (
        SELECT * FROM matching WHERE ${beyond}
        ORDER BY ${order} LIMIT ${parameters.add(perPage + 1)}
        OFFSET ${parameters.add(place ? 0 : (page - 1) * perPage)}
      )
      SELECT counted.total, d.id, d.source, d.version, d.created_at, d.updated_at,
        ARRAY[${keyList}]::bytea[] AS keys
      FROM (${
        filter
          ? 'SELECT count(*) AS total FROM matching'
          : `SELECT coalesce(sum(documents), 0)::bigint AS total FROM documents.usage WHERE collection_id = ${id} AND ${isThere}`
      }) AS counted
      LEFT JOIN (page JOIN documents.documents d ON d.collection_id = ${id} AND d.id = page.id) ON true
      ORDER BY ${order.replaceAll(/\b(key\d|id)\b/g, 'page.$1')}`,
    values: parameters.values,
  });
  const found = rows.filter((row) => (row.id as string | null) !== null);
  const shown = found.slice(0, perPage);
  const last = found.length > perPage ? shown.at(-1) : undefined;
  return {
    documents: shown.map((row) => documentOf(row, fields)),
    totalCount: Number(rows[0]?.total ?? 0),
    after: last ? cursorOf(sort, last) : null,
  };
}

function cursorOf(sort: Sort, { id, keys }: ListRow): string {
  const bytes = keys.reduce((sum, key) => sum + key.length, 0);
  return writeCursor(
    sort,
    bytes <= mostInCursor ? [id, ...keys.map((key) => key.toString('base64url'))] : [id],
  );
}

async function placeOf(
  connection: ScopedConnection,
  collection: Collection,
  sort: Sort,
  keyCount: number,
  after: string,
): Promise<{ keys: readonly Buffer[]; id: string }> {
  const content = readCursor(after, sort);
  const [id, ...texts] = content.filter((part) => typeof part === 'string');
  if (id === undefined || id.includes('\0') || texts.length + 1 !== content.length) throw invalidCursor();
  if (texts.length === keyCount) return { id, keys: texts.map((text) => Buffer.from(text, 'base64url')) };
  if (texts.length > 0) throw invalidCursor();
  const parameters = new Parameters();
  const { keys } = sortOf(sort, parameters);
  const { rows } = await connection.query<{ keys: Buffer[] }>({
    text: `SELECT ARRAY[${keys.join(', ')}]::bytea[] AS keys FROM documents.documents d
      WHERE d.collection_id = ${parameters.add(collection.id)} AND d.id = ${parameters.add(id)}`,
    values: parameters.values,
  });
  if (!rows[0]) throw invalidCursor();
  return { id, keys: rows[0].keys };
}

export function documentOf(row: DocumentRow, fields?: readonly string[]): StoredDocument {
  return {
    id: row.id,
    json: fields ? JSON.stringify(pick(JSON.parse(row.source) as JsonObject, fields)) : row.source,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
