import { useEffect, useState } from 'react';
import { resumableFrom, type WithUpload } from '../../../components/files/file.ts';
import { useFilesChanged } from './use-files-changed.ts';

/** Asks for these again, and draws them again, once the upload of one may be gone on with: what is stored of it may not have changed. */
export function useDraftsWatched(files: readonly WithUpload[]): void {
  const filesChanged = useFilesChanged();
  const [, setLooks] = useState(0);
  const now = Date.now();
  const next = Math.min(...files.map((file) => resumableFrom(file)).filter((from) => from > now));
  useEffect(() => {
    if (next === Number.POSITIVE_INFINITY) return;
    const look = () => void filesChanged().then(() => setLooks((looks) => looks + 1));
    const timer = setTimeout(look, next - Date.now());
    return () => clearTimeout(timer);
  }, [next]);
}
