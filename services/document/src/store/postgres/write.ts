import type { ScopedConnection } from '@portal/database';
import type {
  ImportedDocument,
  ImportFailure,
  ImportOptions,
  JsonObject,
  NewDocument,
} from '../document-store.ts';
import { type Collection, isNamed, StaleCollection } from './collections.ts';
import { keysOf } from './index-keys.ts';

/** A row as the statements answer it. */
export interface DocumentRow {
  readonly id: string;
  readonly source: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** As a statement answers it, or what it answers where the collection is another one. */
type MadeRow = Omit<DocumentRow, 'source'> & { readonly is_known: boolean };

/**
 * Writers share the row of the collection until they commit, so that an index of which they know nothing waits for them. They
 * find no row where the collection has gone or its indexes are others.
 */
const known = (id: string, generation: string): string =>
  `known AS MATERIALIZED (
    SELECT id, partner_id FROM documents.collections WHERE id = ${id} AND generation = ${generation} FOR SHARE
  )`;

const columns = 'id, source, version, created_at, updated_at';
/** Without what was sent. */
const madeColumns = 'id, version, created_at, updated_at';

/** Undefined where the `_id` is taken. */
export async function insertRow(
  connection: ScopedConnection,
  collection: Collection,
  document: NewDocument,
): Promise<DocumentRow | undefined> {
  const source = JSON.stringify(document.content);
  const { rows } = await connection.query<MadeRow>({
    name: 'document-insert',
    text: `WITH ${known('$1', '$2')}, added AS (
        INSERT INTO documents.documents (collection_id, partner_id, id, source)
        SELECT id, partner_id, $3, $4 FROM known ON CONFLICT DO NOTHING RETURNING ${madeColumns}
      )
      SELECT EXISTS (SELECT FROM known) AS is_known, added.* FROM (SELECT) one LEFT JOIN added ON true`,
    values: [collection.id, collection.generation, document.id, source],
  });
  const made = known1(rows);
  return made && { ...made, source };
}

/** Undefined where there is no such document, or not of that version. */
export async function updateRow(
  connection: ScopedConnection,
  collection: Collection,
  document: NewDocument,
  ifVersion: number | undefined,
): Promise<DocumentRow | undefined> {
  const source = JSON.stringify(document.content);
  const { rows } = await connection.query<MadeRow>({
    name: 'document-update',
    text: `WITH ${known('$1', '$2')}, changed AS (
        UPDATE documents.documents SET source = $4, version = version + 1, updated_at = now()
        WHERE collection_id = (SELECT id FROM known) AND id = $3 AND ($5::integer IS NULL OR version = $5)
        RETURNING ${madeColumns}
      )
      SELECT EXISTS (SELECT FROM known) AS is_known, changed.* FROM (SELECT) one LEFT JOIN changed ON true`,
    values: [collection.id, collection.generation, document.id, source, ifVersion ?? null],
  });
  const made = known1(rows);
  return made && { ...made, source };
}

/**
 * Documents that are there and that no one else is changing are replaced; the rest is not waited for, and left out of the answer.
 * Each `_id` comes once.
 */
export async function updateFreeRows(
  connection: ScopedConnection,
  collection: Collection,
  documents: readonly NewDocument[],
): Promise<ReadonlyMap<string, DocumentRow>> {
  const sources = new Map(documents.map(({ content, id }) => [id, JSON.stringify(content)]));
  const { rows } = await connection.query<MadeRow>({
    name: 'document-update-free',
    text: `WITH ${known('$1', '$2')}, free AS MATERIALIZED (
        SELECT id FROM documents.documents
        WHERE collection_id = (SELECT id FROM known) AND id = ANY ($3::text[]) FOR UPDATE SKIP LOCKED
      ), changed AS (
        UPDATE documents.documents AS d SET source = sent.source, version = d.version + 1, updated_at = now()
        FROM free JOIN unnest($3::text[], $4::text[]) AS sent (id, source) ON sent.id = free.id
        WHERE d.collection_id = $1 AND d.id = free.id
        RETURNING d.id, d.version, d.created_at, d.updated_at
      )
      SELECT EXISTS (SELECT FROM known) AS is_known, changed.* FROM (SELECT) one LEFT JOIN changed ON true`,
    values: [
      collection.id,
      collection.generation,
      textArray([...sources.keys()]),
      textArray([...sources.values()]),
    ],
  });
  if (!rows[0]?.is_known) throw new StaleCollection();
  return new Map(rows.map((row) => [row.id, { ...row, source: sources.get(row.id) ?? '' }]));
}

/** The row that was deleted; undefined where there is no such document, or not of that version. */
export async function deleteRow(
  connection: ScopedConnection,
  collection: Collection,
  id: string,
  ifVersion: number | undefined,
): Promise<DocumentRow | undefined> {
  const { rows } = await connection.query<DocumentRow & { is_known: boolean }>({
    name: 'document-delete',
    text: `WITH ${known('$1', '$2')}, gone AS (
        DELETE FROM documents.documents
        WHERE collection_id = (SELECT id FROM known) AND id = $3 AND ($4::integer IS NULL OR version = $4)
        RETURNING ${columns}
      )
      SELECT EXISTS (SELECT FROM known) AS is_known, gone.* FROM (SELECT) one LEFT JOIN gone ON true`,
    values: [collection.id, collection.generation, id, ifVersion ?? null],
  });
  return known1(rows);
}

function known1<Row extends MadeRow>(rows: readonly Row[]): Row | undefined {
  const [row] = rows;
  if (!row?.is_known) throw new StaleCollection();
  // Of a left join without a row on its right side.
  return (row.id as string | null) === null ? undefined : row;
}

/** The documents of `ids` that are there, by their `_id`. */
export async function readRows(
  connection: ScopedConnection,
  collection: Collection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DocumentRow>> {
  const { rows } = await connection.query<DocumentRow>({
    name: 'document-read',
    text: `SELECT ${columns} FROM documents.documents
      WHERE collection_id = $1 AND id = ANY ($2::text[]) AND ${isNamed('$1', '$3')}`,
    values: [collection.id, textArray([...new Set(ids)]), collection.ref.collection],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The documents of `ids` as they are, which nobody else changes until the transaction ends. */
export async function lockRows(
  connection: ScopedConnection,
  collection: Collection,
  ids: readonly string[],
): Promise<readonly DocumentRow[]> {
  const { rows } = await connection.query<DocumentRow>({
    name: 'document-lock',
    text: `SELECT ${columns} FROM documents.documents
      WHERE collection_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE`,
    values: [collection.id, ids],
  });
  return rows;
}

/** A document as it is sent to the database. */
export interface SentDocument {
  readonly id: string;
  readonly source: string;
}

/**
 * Stores new documents, for half of what `writeBatch` costs the database: it looks at each key once, and answers nothing. Rejects with a
 * unique violation where one of them is there; then none is stored. The entries of indexes are the caller's.
 */
export async function writeNew(
  connection: ScopedConnection,
  collection: Collection,
  documents: readonly SentDocument[],
): Promise<void> {
  const { rowCount } = await connection.query({
    name: 'document-batch-new',
    text: `WITH ${known('$1', '$2')}
      INSERT INTO documents.documents (collection_id, partner_id, id, source)
      SELECT known.id, known.partner_id, sent.id, sent.source
      FROM known, unnest($3::text[], $4::text[]) AS sent (id, source)`,
    values: [collection.id, collection.generation, ...columnsOf(documents)],
  });
  if (rowCount === 0 && documents.length > 0) throw new StaleCollection();
}

/** Ids and sources. */
const columnsOf = (documents: readonly SentDocument[]): [Buffer, Buffer] => [
  textArray(documents.map(({ id }) => id)),
  textArray(documents.map(({ source }) => source)),
];

/**
 * Writes a batch in which each `_id` comes once, and answers the `_id`s that were refused. The entries of indexes are the
 * caller's.
 */
export async function writeBatch(
  connection: ScopedConnection,
  collection: Collection,
  mode: ImportOptions['mode'],
  documents: readonly SentDocument[],
): Promise<ReadonlySet<string>> {
  const written = {
    insert: `INSERT INTO documents.documents (collection_id, partner_id, id, source)
      SELECT known.id, known.partner_id, sent.id, sent.source FROM known, sent
      ON CONFLICT DO NOTHING RETURNING id`,
    upsert: `INSERT INTO documents.documents AS d (collection_id, partner_id, id, source)
      SELECT known.id, known.partner_id, sent.id, sent.source FROM known, sent
      ON CONFLICT (collection_id, id) DO UPDATE
        SET source = excluded.source, version = d.version + 1, updated_at = now() RETURNING id`,
    replace: `UPDATE documents.documents AS d SET source = sent.source, version = d.version + 1, updated_at = now()
      FROM known, sent WHERE d.collection_id = known.id AND d.id = sent.id RETURNING d.id`,
  }[mode];
  const { rows } = await connection.query<{ is_known: boolean; refused: string[] | null }>({
    name: `document-batch-${mode}`,
    text: `WITH ${known('$1', '$2')}, sent AS MATERIALIZED (
        SELECT * FROM unnest($3::text[], $4::text[]) AS sent (id, source)
      ), written AS (${written})
      SELECT EXISTS (SELECT FROM known) AS is_known,
        CASE WHEN (SELECT count(*) FROM written) < $5::integer
          THEN ARRAY (SELECT id FROM sent EXCEPT SELECT id FROM written) END AS refused`,
    values: [collection.id, collection.generation, ...columnsOf(documents), documents.length],
  });
  const [row] = rows;
  if (!row?.is_known) throw new StaleCollection();
  return new Set(row.refused);
}

const TEXT_OID = 25;

/** `text[]` in PostgreSQL's binary form: its text would need a backslash before every quote of the JSON in it. */
export function textArray(values: readonly string[]): Buffer {
  const sizes = values.map((value) => Buffer.byteLength(value));
  const buffer = Buffer.allocUnsafe(20 + sizes.reduce((sum, size) => sum + 4 + size, 0));
  // Dimensions, whether there are nulls, the type, then length and lower bound of the one dimension.
  let at = 0;
  for (const header of [1, 0, TEXT_OID, values.length, 1]) at = buffer.writeInt32BE(header, at);
  for (const [place, value] of values.entries()) {
    at = buffer.writeInt32BE(sizes[place] ?? 0, at);
    at += buffer.write(value, at);
  }
  return buffer;
}

/** Takes the entries of documents as they were away, and adds those of documents as they are. */
export async function changeEntries(
  connection: ScopedConnection,
  collection: Collection,
  before: readonly { readonly id: string; readonly source: string }[],
  after: readonly { readonly id: string; readonly source: string }[],
): Promise<void> {
  if (collection.indexes.length === 0) return;
  const [removed, added] = difference(entriesOf(collection, before), entriesOf(collection, after));
  if (removed.length > 0) {
    await connection.query({
      name: 'document-entries-remove',
      text: `DELETE FROM documents.index_entries e
        USING unnest($1::integer[], $2::bytea[], $3::text[]) AS gone (index_id, key, document_id)
        WHERE e.index_id = gone.index_id AND e.key = gone.key AND e.document_id = gone.document_id`,
      values: [
        removed.map(({ indexId }) => indexId),
        removed.map(({ key }) => key),
        removed.map(({ id }) => id),
      ],
    });
  }
  if (added.length > 0) await addEntries(connection, collection, added);
}

export interface Entry {
  readonly indexId: number;
  readonly key: Buffer;
  readonly id: string;
}

export async function addEntries(
  connection: ScopedConnection,
  collection: Collection,
  entries: readonly Entry[],
): Promise<void> {
  await connection.query({
    name: 'document-entries-add',
    text: `INSERT INTO documents.index_entries (index_id, key, document_id, partner_id)
      SELECT index_id, key, document_id, $4 FROM unnest($1::integer[], $2::bytea[], $3::text[])
        AS added (index_id, key, document_id)
      ON CONFLICT DO NOTHING`,
    values: [
      entries.map(({ indexId }) => indexId),
      entries.map(({ key }) => key),
      entries.map(({ id }) => id),
      collection.ref.partnerId,
    ],
  });
}

export function entriesOf(
  { indexes }: Pick<Collection, 'indexes'>,
  documents: readonly { readonly id: string; readonly source: string }[],
): Entry[] {
  return documents.flatMap(({ id, source }) => {
    const content: JsonObject = JSON.parse(source);
    return indexes.flatMap((index) =>
      keysOf(content, index.path).map((key) => ({ indexId: index.id, key, id })),
    );
  });
}

function difference(before: readonly Entry[], after: readonly Entry[]): [Entry[], Entry[]] {
  const nameOf = ({ id, indexId, key }: Entry) => `${indexId} ${key.toString('latin1')} ${id}`;
  const namesBefore = new Set(before.map(nameOf));
  const namesAfter = new Set(after.map(nameOf));
  return [
    before.filter((entry) => !namesAfter.has(nameOf(entry))),
    after.filter((entry) => !namesBefore.has(nameOf(entry))),
  ];
}

/**
 * One document per `_id`, and which places of the batch an `insert` refuses. In the order of their `_id`s: two imports of the same
 * documents never wait for each other in a circle.
 */
export function withoutRepeats(
  mode: ImportOptions['mode'],
  documents: readonly ImportedDocument[],
): { single: readonly ImportedDocument[]; repeated: readonly ImportFailure[] } {
  const areInOrder = documents.every(({ id }, index) => id > (documents[index - 1]?.id ?? ''));
  if (areInOrder) return { single: documents, repeated: [] };
  const byId = new Map<string, ImportedDocument>();
  const repeated: ImportFailure[] = [];
  for (const [index, document] of documents.entries()) {
    if (mode === 'insert' && byId.has(document.id)) repeated.push({ index, reason: 'taken' });
    else byId.set(document.id, document);
  }
  return { single: [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), repeated };
}
