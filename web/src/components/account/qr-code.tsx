import { chakra } from '@chakra-ui/react';
import { useMemo } from 'react';
import { encode } from 'uqr';

/** Modules of white around it, without which cameras do not find it. */
const border = 4;

/** Dark on white in both modes, as cameras want it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const { data } = encode(text, { border, ecc: 'M' });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { path: dark.join(''), size: data.length };
  }, [text]);
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      w="13rem"
      maxW="full"
      bg="white"
      borderWidth="1px"
      borderRadius="md"
    >
      <path d={path} fill="#000" />
    </chakra.svg>
  );
}
