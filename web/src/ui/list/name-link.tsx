import { PlainLink } from '../link.tsx';
import { LongWord } from '../long-word.tsx';

/** The name of a row as the link to its page, where all of a long name stands. */
export function NameLink({ to, children }: { to: string; children: string }) {
  return (
    <PlainLink to={to} className="link">
      <LongWord>{children}</LongWord>
    </PlainLink>
  );
}
