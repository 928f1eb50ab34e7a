/** What a person looks for on a page, by its role. A field is found by its label, all others by their name. */
export type Role = 'button' | 'checkbox' | 'field' | 'heading' | 'link' | 'radio' | 'text';

/**
 * Runs in the page: the first element in sight of this role and with this name; of a text, the innermost one. A name may end
 * in `…` for any ending.
 */
export function findInPage(role: string, name: string): Element | null {
  const selectors: Readonly<Record<string, string>> = {
    // One that is disabled waits for something, as a person does before pressing it.
    button: ':is(button, [role=button]):not(:disabled, [aria-disabled=true])',
    checkbox: 'input[type=checkbox]',
    field: 'input, textarea',
    heading: 'h1, h2, h3',
    link: 'a[href]',
    radio: 'input[type=radio]',
    text: 'body *',
  };
  const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const isNamed = (text: string | null | undefined) =>
    name.endsWith('…') ? plain(text).startsWith(name.slice(0, -1)) : plain(text) === name;
  const namesOf = (element: Element) => [
    element.getAttribute('aria-label'),
    ...(element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent),
    // Buttons may have labels too.
    ...(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? Array.from(element.labels ?? [], ({ textContent }) => textContent)
      : [element.textContent]),
  ];
  // A checkbox in our look lies without size over what is drawn for it.
  const isInSight = (element: Element) =>
    element.matches('[type=checkbox], [type=radio]') || element.checkVisibility({ visibilityProperty: true });
  const found = Array.from(document.querySelectorAll(selectors[role] ?? role)).filter(
    (element) => !element.closest('[inert]') && isInSight(element) && namesOf(element).some(isNamed),
  );
  return (role === 'text' ? found.at(-1) : found[0]) ?? null;
}
