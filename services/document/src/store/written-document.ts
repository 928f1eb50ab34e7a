import { formatDateTime } from '@portal/contracts';
import type { StoredDocument } from './document-store.ts';

/** A document as answers and exports have it: what the service adds stands around what the customer wrote. */
interface WrittenDocument extends Readonly<Record<string, unknown>> {
  readonly _id: string;
  readonly _created_at: string;
  readonly _updated_at: string;
  readonly _version: number;
}

export function written(document: StoredDocument): WrittenDocument {
  const content: object = JSON.parse(document.json);
  return { _id: document.id, ...content, ...addedTo(document) };
}

/** Of its own fields, those alone that were asked for; its id always. */
export function writtenFields(
  document: StoredDocument,
  fields: readonly string[],
): Readonly<Record<string, unknown>> {
  const content: object = JSON.parse(document.json);
  const added = Object.entries(addedTo(document)).filter(([name]) => fields.includes(name));
  return { _id: document.id, ...content, ...Object.fromEntries(added) };
}

/** One line of JSON, as `written` has it; what is stored is JSON already. */
export function lineOf(document: StoredDocument): string {
  const content = document.json.trim().slice(1, -1).trim();
  const added = JSON.stringify(addedTo(document)).slice(1, -1);
  return `{"_id":${JSON.stringify(document.id)},${content === '' ? '' : `${content},`}${added}}`;
}

const addedTo = ({ createdAt, updatedAt, version }: StoredDocument) => ({
  _created_at: formatDateTime(createdAt),
  _updated_at: formatDateTime(updatedAt),
  _version: version,
});
