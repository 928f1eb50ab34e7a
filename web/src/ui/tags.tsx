import { useFormat } from '../lib/format.ts';

interface TagsProps {
  names: readonly string[];
  /** Said instead when there are none. */
  none: string;
  /** How many are named before the rest is counted; all by default. */
  most?: number | undefined;
}

/** Names beside each other, such as the groups of a record. */
export function Tags({ names, none, most = names.length }: TagsProps) {
  const { number } = useFormat();
  if (names.length === 0) return <span className="none">{none}</span>;
  const rest = names.slice(most);
  return (
    <ul className="tags">
      {names.slice(0, most).map((name) => (
        <li key={name} title={name}>
          <span>{name}</span>
        </li>
      ))}
      {rest.length > 0 && <li title={rest.join(', ')}>+{number(rest.length)}</li>}
    </ul>
  );
}
