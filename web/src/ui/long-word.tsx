import { Fragment } from 'react';

/**
 * A name or an address that may be too long for its place: broken at its joints where it has some, over two lines at the
 * most, or four where there is little room; the pointer tells it in full.
 */
export function LongWord({ children }: { children: string }) {
  return (
    <span className="long-word" title={children}>
      {children.split(/(?<=[@._-])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
