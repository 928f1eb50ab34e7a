import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * Writes into the page which version it is: the hash of its content, and by the names of its assets of theirs. Another build that
 * changes nothing is the same version.
 */
export function stampVersion(): Plugin {
  return {
    name: 'stamp-version',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(page) {
        const content = createHash('sha256').update(page).digest('hex').slice(0, 16);
        return [{ tag: 'meta', attrs: { name: 'version', content }, injectTo: 'head' }];
      },
    },
  };
}
