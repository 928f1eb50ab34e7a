const event = 'portal:activity';

/** Events of `window` that count as activity, so that the session is renewed. */
export const signsOfLife = ['pointerdown', 'keydown', event] as const;

/** For work without user input, such as an upload. */
export function reportActivity(): void {
  window.dispatchEvent(new Event(event));
}
