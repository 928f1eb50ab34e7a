/** Lists have no one best plan: it depends on what is asked for, and a kept plan knows nothing of that. */
const isList = /\b(?:LIKE|ORDER BY|COUNT\()/i;
/** Most texts that get a name: lists of values make a text for each length, and every connection keeps its plans. */
const mostNames = 100;

/**
 * Names of statements, by which a connection has the server parse and plan them once: a quarter of what the database
 * does for short ones. Empty for those that are planned anew each time.
 */
export function createStatementNames(): (statement: {
  readonly sql: string;
  readonly args: readonly unknown[];
}) => string {
  const names = new Map<string, string>();
  return ({ args, sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // A text without values may hold several statements, which cannot have a name.
    if (args.length === 0 || names.size >= mostNames || isList.test(sql)) return '';
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}
