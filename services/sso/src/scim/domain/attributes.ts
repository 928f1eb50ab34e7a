import { scimRoutes } from '@portal/contracts';

const { scimSchemas } = scimRoutes;

/** What resources are made of; whatever a client sends is of these kinds, in names of any case. */
export type Given = Readonly<Record<string, unknown>>;

const ownSchemas = [scimSchemas.user, scimSchemas.group].map((urn) => `${urn.toLowerCase()}:`);

/** The name of an attribute in lower case, without the schema that it is of, if it is one of ours. */
export function attributeName(path: string): string {
  const name = path.trim().toLowerCase();
  const schema = ownSchemas.find((urn) => name.startsWith(urn));
  return schema === undefined ? name : name.slice(schema.length);
}

export const isGiven = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The attributes of what a client sends, by their names in lower case. */
export function attributesOf(given: Given): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(given).map(([name, value]) => [attributeName(name), value]));
}
