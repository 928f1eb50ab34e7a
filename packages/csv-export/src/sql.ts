import { escapeLiteral } from 'pg';

/** SQL with its values in it, for COPY, which takes no parameters. */
export class Sql {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values become literals; what is SQL already goes in as it is. */
export function sql(parts: TemplateStringsArray, ...values: readonly (Date | number | string | Sql)[]): Sql {
  return new Sql(
    parts.reduce((text, part, index) => {
      const value = values[index - 1];
      return `${text}${value === undefined ? '' : literal(value)}${part}`;
    }, ''),
  );
}

/** A query with parameters, such as the filter of a list: they become literals. */
sql.of = ({
  strings,
  values,
}: {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}): Sql =>
  new Sql(
    strings.reduce((text, part, index) => {
      const value = values[index - 1];
      if (value instanceof Date || typeof value === 'number' || typeof value === 'string') {
        return `${text}${literal(value)}${part}`;
      }
      throw new Error(`No value of a CSV: ${typeof value}`);
    }),
  );

/** Text that is SQL. */
sql.raw = (text: string): Sql => new Sql(text);

function literal(value: Date | number | string | Sql): string {
  if (value instanceof Sql) return value.text;
  if (value instanceof Date) return `${escapeLiteral(value.toISOString())}::timestamptz`;
  if (typeof value === 'string') return escapeLiteral(value);
  if (!Number.isSafeInteger(value)) throw new Error(`Not a whole number: ${value}`);
  return value < 0 ? `(${value})` : String(value);
}
