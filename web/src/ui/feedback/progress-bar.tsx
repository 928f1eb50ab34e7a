import { chakra, Flex } from '@chakra-ui/react';
import { useFormat } from '../../lib/format.ts';
import { ProgressTrack } from './progress-track.tsx';

interface ProgressBarProps {
  /** What goes on; also read out when it changes. */
  label: string;
  /** From 0 to 1. */
  share: number;
}

/** How far a work is. */
export function ProgressBar({ label, share }: ProgressBarProps) {
  const format = useFormat();
  const done = Math.min(Math.max(share, 0), 1);
  return (
    <div>
      <Flex justify="space-between" gap="3" mb="1.5">
        <chakra.span fontWeight="medium" role="status">
          {label}
        </chakra.span>
        <chakra.span fontVariantNumeric="tabular-nums">
          {format.percent(Math.floor(done * 100) / 100)}
        </chakra.span>
      </Flex>
      <ProgressTrack label={label} share={done} />
    </div>
  );
}
