import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const jsonSchema = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

/**
 * Leaves out how zod writes a schema as JSON Schema: 29 kB of code that each schema refers to, and that only the documents of the
 * server need. In the client there is none.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    async load(id) {
      if (!jsonSchema.test(id)) return undefined;
      const code = await readFile(id, 'utf8');
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      if (names.length === 0) throw new Error(`${id} is not as it was: nothing is exported`);
      return `const absent = () => undefined;
        export { ${names.map((name) => `absent as ${name}`).join(', ')} };`;
    },
  };
}
