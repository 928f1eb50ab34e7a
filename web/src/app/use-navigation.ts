import type { SessionKind } from '../lib/session/session-store.ts';
import { useMay, useSession } from '../lib/session/use-session.ts';
import { type NavArea, navigation } from './navigation.ts';

/** The areas and entries that the caller may use; areas without any are left out. */
export function useNavigation(kind: SessionKind): readonly NavArea[] {
  const may = useMay();
  const session = useSession();
  const isOfUnit = session?.kind === 'admin' && session.outsourcingFlag;
  return navigation[kind]
    .map((area) => ({
      ...area,
      entries: area.entries.filter(
        ({ needs, ofUnit }) => (needs === undefined || may(needs)) && (!ofUnit || isOfUnit),
      ),
    }))
    .filter(({ entries }) => entries.length > 0);
}
