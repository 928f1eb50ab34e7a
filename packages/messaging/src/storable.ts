/** In JSON text, the escapes of what PostgreSQL cannot keep: NUL, and halves of surrogate pairs. */
const suspiciousEscape = /\\u(?:0000|d[89a-f])/i;

/** Whether a database can keep all strings of `value`, of which `text` is the JSON. */
export function isStorable(value: unknown, text: string): boolean {
  return !suspiciousEscape.test(text) || hasStorableStrings(value);
}

function hasStorableStrings(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, inner]) => hasStorableStrings(name) && hasStorableStrings(inner),
  );
}
