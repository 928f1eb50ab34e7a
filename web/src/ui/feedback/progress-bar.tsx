import { chakra, Flex } from '@chakra-ui/react';
import { useFormat } from '../../lib/format.ts';

interface ProgressBarProps {
  /** What goes on; also read out when it changes. */
  label: string;
  /** From 0 to 1. */
  share: number;
}

/** How far a work is. */
export function ProgressBar({ label, share }: ProgressBarProps) {
  const format = useFormat();
  const percent = Math.floor(Math.min(Math.max(share, 0), 1) * 100);
  return (
    <div>
      <Flex justify="space-between" gap="3" mb="1.5">
        <chakra.span fontWeight="medium" role="status">
          {label}
        </chakra.span>
        <chakra.span fontVariantNumeric="tabular-nums">{format.percent(percent / 100)}</chakra.span>
      </Flex>
      <chakra.div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        h="2"
        bg="bg.emphasized"
        borderRadius="full"
        overflow="hidden"
      >
        <chakra.div
          h="full"
          bg="accent.solid"
          transition="width 200ms linear"
          style={{ width: `${percent}%` }}
        />
      </chakra.div>
    </div>
  );
}
