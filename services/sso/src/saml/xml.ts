/** Every element below and including `root`, in the order of the document. */
export function* elementsIn(root: Element): Generator<Element> {
  yield root;
  for (const child of childrenOf(root)) yield* elementsIn(child);
}

export function childrenOf(parent: Node): Element[] {
  const children: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    // nodeType 1: what TypeScript calls an Element.
    if (node.nodeType === 1) children.push(node as Element);
  }
  return children;
}

export const isNamed = (element: Element, namespace: string, name: string): boolean =>
  element.localName === name && element.namespaceURI === namespace;

export const childrenNamed = (parent: Node, namespace: string, name: string): Element[] =>
  childrenOf(parent).filter((child) => isNamed(child, namespace, name));

/** The child of this name, where there is but one. */
export function childNamed(parent: Node, namespace: string, name: string): Element | undefined {
  const [only, ...more] = childrenNamed(parent, namespace, name);
  return more.length === 0 ? only : undefined;
}

/** An attribute without a namespace; undefined where there is none. */
export const attribute = (element: Element, name: string): string | undefined =>
  element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;

export const textOf = (element: Element): string => (element.textContent ?? '').trim();
