/** The form of a text in which it is compared, searched and sorted without regard to case: by browser and services alike. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}
