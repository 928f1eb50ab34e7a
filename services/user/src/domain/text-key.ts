/** The form of a text in which it is compared, searched and sorted without regard to case. */
export function keyOf(text: string): string {
  return text.toLowerCase();
}
