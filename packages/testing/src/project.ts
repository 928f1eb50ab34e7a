import { join } from 'node:path';

/** Where the project's own programs are. */
export const root = join(import.meta.dirname, '..', '..', '..');
/** Node itself, as a checkout has it installed: the script in `.bin` would not pass signals on. */
export const nodeOf = (checkout: string) => join(checkout, 'node_modules', 'node', 'bin', 'node');
export const projectNode = nodeOf(root);
/** What Node is started with wherever it serves: in the images (Dockerfile) and by the commands of the project (scripts/portal.mjs) as well. */
export const serverOptions = ['--max-semi-space-size=4'];
/** Where each service is a process, as in the images: one place for what threads allocate, and what is free goes back soon (decision 0089). */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536' };
