import { join } from 'node:path';

/** Where the project's own programs are. */
export const root = join(import.meta.dirname, '..', '..', '..');
/** The binary itself: the script in `.bin` would not pass signals on. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', 'node');
