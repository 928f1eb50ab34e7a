const event = 'portal:activity';

/** What shows that somebody works, so that the session is renewed: events of `window`. */
export const signsOfLife = ['pointerdown', 'keydown', event] as const;

/** For work that goes on without hands, such as an upload. */
export function reportActivity(): void {
  window.dispatchEvent(new Event(event));
}
