import { useLocation, useSearchParams } from 'react-router-dom';
import { idOf } from '../../lib/edit-link.ts';
import type { RecordPaths } from './record-paths.ts';

const bare = (path: string) => path.replace(/\/$/, '');

/** What the records of this page belong to, as the address says: its id, 0 where there is none, and its name. */
export function useParentOf(paths: RecordPaths): { readonly id: number; readonly name: string } {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  if (paths.parent === undefined) return { id: 0, name: '' };
  const isOfOne = [paths.detail, paths.edit.form].some((path) => pathname.startsWith(bare(path)));
  return { id: idOf(params, isOfOne ? paths.parent : 'id'), name: params.get('pn') ?? '' };
}
