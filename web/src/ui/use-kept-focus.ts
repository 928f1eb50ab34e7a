import { type RefObject, useLayoutEffect, useRef } from 'react';

interface KeptFocusOptions {
  /** A selector of things of one kind, e.g. rows: where one goes with the focus in it, the next one gets it. */
  items?: string;
  /** A selector of what gets the focus otherwise; the container itself by default. */
  otherwise?: string;
}

interface KeptFocus<E extends HTMLElement> {
  ref: RefObject<E | null>;
  onFocus: (event: { target: Element }) => void;
  onBlur: (event: { relatedTarget: Element | null }) => void;
}

/**
 * For a container whose controls disappear: a browser moves the focus of a removed one to the top of the page. Takes
 * effect when the component renders.
 */
export function useKeptFocus<E extends HTMLElement>({ items, otherwise }: KeptFocusOptions): KeptFocus<E> {
  const ref = useRef<E>(null);
  const held = useRef<{ element: Element; index: number }>(undefined);
  const itemsOf = (place: E) => (items ? [...place.querySelectorAll<HTMLElement>(items)] : []);

  useLayoutEffect(() => {
    const place = ref.current;
    if (!place || !held.current || held.current.element.isConnected) return;
    const { index } = held.current;
    held.current = undefined;
    if (document.activeElement !== document.body) return;
    const all = itemsOf(place);
    const next = index < 0 ? undefined : all[Math.min(index, all.length - 1)];
    const heir = next ?? (otherwise ? place.querySelector<HTMLElement>(otherwise) : place);
    // What is no control takes it, and is no stop of the Tab key.
    if (heir && heir.tabIndex < 0) heir.tabIndex = -1;
    heir?.focus();
  });

  return {
    ref,
    onFocus({ target }) {
      const index = ref.current ? itemsOf(ref.current).findIndex((item) => item.contains(target)) : -1;
      held.current = { element: target, index };
    },
    // React tells of a focus that moves on, not of one whose element is taken away. A dialog has it for a while only.
    onBlur({ relatedTarget }) {
      if (!relatedTarget?.closest('dialog')) held.current = undefined;
    },
  };
}
