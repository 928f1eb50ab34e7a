import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceNames } from '../../packages/contracts/src/index.ts';
import { bundleService, bundleShared } from './layers.ts';

/**
 * What goes into the images, made from the locked dependencies: `dist/images/shared` is the layer that all of them have,
 * `dist/images/<service>` that of one.
 */

const out = join(import.meta.dirname, '..', '..', 'dist', 'images');

await rm(out, { recursive: true, force: true });
await Promise.all([
  bundleShared(join(out, 'shared')),
  ...serviceNames.map((service) => bundleService(service, join(out, service))),
]);
