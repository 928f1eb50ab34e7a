import { Badge, chakra } from '@chakra-ui/react';
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
  if (names.length === 0) return <chakra.span color="fg.muted">{none}</chakra.span>;
  const rest = names.slice(most);
  return (
    <chakra.ul display="flex" flexWrap="wrap" gap="1">
      {names.slice(0, most).map((name) => (
        <chakra.li key={name} maxW="full" display="inline-flex">
          <Badge colorPalette="gray" maxW="12rem" title={name}>
            <chakra.span lineClamp="2" whiteSpace="normal" overflowWrap="anywhere">
              {name}
            </chakra.span>
          </Badge>
        </chakra.li>
      ))}
      {rest.length > 0 && (
        <chakra.li title={rest.join(', ')}>
          <Badge colorPalette="gray">+{number(rest.length)}</Badge>
        </chakra.li>
      )}
    </chakra.ul>
  );
}
