import { chakra } from '@chakra-ui/react';

/** So many are seen at once; more are scrolled, with the keyboard too. */
const seen = 7;

/** The things that a dialog is about. */
export function NameList({ label, names }: { label: string; names: readonly string[] }) {
  const scrolls = names.length > seen;
  return (
    <chakra.ul
      aria-label={label}
      tabIndex={scrolls ? 0 : undefined}
      mt="2"
      ps="5"
      listStyleType="disc"
      color="fg"
      {...(scrolls && {
        // A line that is half there shows that there are more.
        maxH: `calc(${seen + 0.5} * 1lh + 1rem)`,
        overflowY: 'auto',
        py: '2',
        borderWidth: '1px',
        borderRadius: 'md',
      })}
    >
      {names.map((name, index) => (
        <li key={index}>{name}</li>
      ))}
    </chakra.ul>
  );
}
