import { chakra } from '@chakra-ui/react';

interface MeterProps {
  /** What is measured, for screen readers. */
  label: string;
  value: number;
  max: number;
  /** The figures in words, e.g. `30 / 100`; also what is read out. */
  text: string;
  /** As wide as its place rather than as a column of a table. */
  wide?: boolean;
}

/** How much of a fixed amount is taken. From nine tenths on it warns, and beyond the amount it alarms. */
export function Meter({ label, value, max, text, wide = false }: MeterProps) {
  const share = max > 0 ? value / max : value > 0 ? Number.POSITIVE_INFINITY : 0;
  const palette = share > 1 ? 'danger' : share >= 0.9 ? 'warning' : 'accent';
  return (
    <chakra.span display="block" minW="8rem" maxW={wide ? undefined : '14rem'}>
      <chakra.span fontVariantNumeric="tabular-nums">{text}</chakra.span>
      <chakra.span
        display="block"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(max, value)}
        aria-valuenow={value}
        aria-valuetext={text}
        mt="1"
        h="1.5"
        overflow="hidden"
        borderRadius="full"
        bg="bg.emphasized"
        colorPalette={palette}
      >
        <chakra.span
          display="block"
          h="full"
          bg="colorPalette.solid"
          style={{ width: `${Math.min(share, 1) * 100}%` }}
        />
      </chakra.span>
    </chakra.span>
  );
}
