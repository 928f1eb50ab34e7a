import { chakra } from '@chakra-ui/react';
import { Fragment } from 'react';

/**
 * A word that may be too long for its place, such as an address: broken at its joints, over two lines at the most; the
 * pointer tells it in full.
 */
export function LongWord({ children }: { children: string }) {
  return (
    <chakra.span lineClamp="2" overflowWrap="anywhere" title={children}>
      {children.split(/(?<=[@._-])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </chakra.span>
  );
}
