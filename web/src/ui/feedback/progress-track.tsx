import { chakra } from '@chakra-ui/react';

interface ProgressTrackProps {
  /** What goes on. */
  label: string;
  /** From 0 to 1. */
  share: number;
  colour?: 'accent' | 'warning' | 'danger';
}

/** The bar alone. */
export function ProgressTrack({ colour = 'accent', label, share }: ProgressTrackProps) {
  return (
    <chakra.div
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.floor(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      h="2"
      bg="bg.emphasized"
      borderRadius="full"
      overflow="hidden"
    >
      <chakra.div
        h="full"
        bg={`${colour}.solid`}
        transition="width 200ms linear"
        style={{ width: `${share * 100}%` }}
      />
    </chakra.div>
  );
}
