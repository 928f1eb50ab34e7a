import { LRUCache } from 'lru-cache';

/** A user of whom it is known how many of a list come before them. */
export interface Anchor {
  readonly position: number;
  readonly id: number;
  /** Of the column that the list is ordered by. */
  readonly key: string | number | Date | null;
}

/** The anchors of lists, each for as long as its tenant has the same number of changes. */
export interface Anchors {
  of(list: string, changes: string): readonly Anchor[];
  add(list: string, changes: string, anchor: Anchor): void;
}

interface AnchorsOfList {
  readonly changes: string;
  /** The newest last. */
  readonly anchors: readonly Anchor[];
}

const mostLists = 500;
/** Of a list: who goes from page to page needs one. */
const mostAnchors = 16;
/** Of the names of lists, which callers write, and of anchors. */
const mostBytes = 4 * 1024 ** 2;
/** Of an anchor beside its text. */
const anchorBytes = 100;

export function createAnchors(): Anchors {
  const lists = new LRUCache<string, AnchorsOfList>({
    max: mostLists,
    maxSize: mostBytes,
    sizeCalculation: ({ anchors }, list) =>
      anchors.reduce((sum, { key }) => sum + bytesOf(key) + anchorBytes, 2 * list.length + anchorBytes),
  });
  const anchorsOf: Anchors['of'] = (list, changes) => {
    const known = lists.get(list);
    return known?.changes === changes ? known.anchors : [];
  };
  return {
    of: anchorsOf,
    add(list, changes, anchor) {
      const others = anchorsOf(list, changes).filter(({ position }) => position !== anchor.position);
      lists.set(list, { changes, anchors: [...others, anchor].slice(-mostAnchors) });
    },
  };
}

const bytesOf = (key: Anchor['key']): number => (typeof key === 'string' ? 2 * key.length : 0);
