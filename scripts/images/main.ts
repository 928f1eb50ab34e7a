import { parseArgs } from 'node:util';
import { buildImages } from './build-images.ts';

/** `npm run images -- --repository registry.example.com/portal --tag 1.0.0`: the image of each service. */

const { values } = parseArgs({
  options: {
    repository: { type: 'string', default: 'portal' },
    tag: { type: 'string', default: 'latest' },
  },
});
try {
  await buildImages({ ...values, step: (text) => console.log(`• ${text}`) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
