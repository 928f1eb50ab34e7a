import { type Json, typeOf } from './json.ts';

/** So much of a value stands in a cell; the document has it in full. */
const longest = 80;

const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** A value in a cell of the table: its type is seen by its colour and its form. */
export function ValueCell({ value }: { value: Json | undefined }) {
  if (value === undefined) return <span className="doc-missing">—</span>;
  const type = typeOf(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <span className={`doc-${type}`} title={text.length > longest ? cut(text) : undefined}>
      {typeof value === 'string' && value === '' ? '""' : cut(text)}
    </span>
  );
}

/** The same colours in the table and in JSON. */
export const valueStyles = {
  '& .doc-string': { color: 'fg' },
  '& .doc-number': { color: 'accent.fg', fontVariantNumeric: 'tabular-nums' },
  '& .doc-boolean': { color: 'warning.fg', fontWeight: 'medium' },
  '& .doc-null': { color: 'fg.muted', fontStyle: 'italic' },
  '& :is(.doc-object, .doc-array)': { fontFamily: 'mono', fontSize: 'xs', color: 'fg.muted' },
  '& .doc-missing': { color: 'fg.muted' },
} as const;
