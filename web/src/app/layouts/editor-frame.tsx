import { databaseKey } from '../../lib/database-key.ts';
import { KeyFrame } from './key-frame.tsx';
import { Shell } from './shell.tsx';

/** Around the editor of documents: that of the session, unless it was opened with the key of a database. */
export function EditorFrame() {
  return databaseKey() ? <KeyFrame /> : <Shell />;
}
