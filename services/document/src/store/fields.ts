import type { JsonObject } from './document-store.ts';

/** The paths of a document that are asked for, through the objects of arrays; what has none of them is left out. */
export function pick(content: JsonObject, fields: readonly string[]): JsonObject {
  return pickIn(content, treeOf(fields));
}

interface Tree {
  readonly children: Map<string, Tree>;
  /** All that stands here. */
  isWhole: boolean;
}

function treeOf(fields: readonly string[]): Tree {
  const root: Tree = { children: new Map(), isWhole: false };
  for (const field of fields) {
    let place = root;
    for (const key of field.split('.')) {
      const next = place.children.get(key) ?? { children: new Map(), isWhole: false };
      place.children.set(key, next);
      place = next;
    }
    place.isWhole = true;
  }
  return root;
}

function pickIn(content: object, tree: Tree): JsonObject {
  const picked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(content)) {
    const child = tree.children.get(key);
    if (!child) continue;
    if (child.isWhole) picked[key] = value;
    else if (Array.isArray(value)) picked[key] = pickInArray(value, child);
    else if (typeof value === 'object' && value !== null) picked[key] = pickIn(value, child);
  }
  return picked;
}

function pickInArray(values: readonly unknown[], tree: Tree): unknown[] {
  return values.flatMap((value: unknown): unknown[] => {
    if (Array.isArray(value)) return [pickInArray(value, tree)];
    return typeof value === 'object' && value !== null ? [pickIn(value, tree)] : [];
  });
}
