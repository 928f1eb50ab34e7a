import type { Language } from '@portal/contracts';

let toldIn: typeof import('./told.ts').toldIn | undefined;

/** Loads the texts of all messages; a change of the language comes after it. */
export async function loadMessages(): Promise<void> {
  ({ toldIn } = await import('./told.ts'));
}

/** A message that is on the screen, in `language`. Before the first change of the language it is in that one already. */
export function messageIn(language: Language, message: string): string {
  return toldIn ? toldIn(language, message) : message;
}
