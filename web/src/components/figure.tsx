import { chakra } from '@chakra-ui/react';
import { useFormat } from '../lib/format.ts';
import { PlainLink } from '../ui/link.tsx';

interface FigureProps {
  label: string;
  value: number;
  /** The list of what is counted. */
  to: string;
  /** What is counted waits for somebody, so that more than none is marked. */
  asksForWork?: boolean;
}

/** A number that is seen from afar, and the way to what it counts. */
export function Figure({ asksForWork = false, label, to, value }: FigureProps) {
  const { number } = useFormat();
  const isMarked = asksForWork && value > 0;
  return (
    <chakra.div
      css={{
        '& > a': {
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'space-between',
          gap: '1',
          h: 'full',
          px: { base: '4', md: '5' },
          py: '4',
          bg: isMarked ? 'bg.warning' : 'bg.panel',
          borderWidth: '1px',
          borderColor: isMarked ? 'warning.border' : 'border',
          borderRadius: 'md',
          wordBreak: 'auto-phrase',
          transition: 'border-color 120ms, box-shadow 120ms',
        },
        '& > a:hover': { borderColor: 'accent.focusRing', boxShadow: 'md' },
      }}
    >
      <PlainLink to={to}>
        <chakra.span color={isMarked ? 'fg.warning' : 'fg.muted'} fontWeight="medium">
          {label}
        </chakra.span>{' '}
        <chakra.strong
          fontSize="2xl"
          fontWeight="semibold"
          lineHeight="tight"
          fontVariantNumeric="tabular-nums"
        >
          {number(value)}
        </chakra.strong>
      </PlainLink>
    </chakra.div>
  );
}

/** Figures beside each other, as many as there is room for; four stand in two rows of two rather than with one alone. */
export const tiles = (count: number) =>
  ({
    display: 'grid',
    gap: '3',
    gridTemplateColumns: {
      base: 'repeat(2, minmax(0, 1fr))',
      md: `repeat(${count === 4 ? 2 : Math.min(count, 3)}, minmax(0, 1fr))`,
      xl: `repeat(${count}, minmax(0, 1fr))`,
    },
  }) as const;
