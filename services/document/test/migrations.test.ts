import { fileURLToPath } from 'node:url';
import { assertNoDrift } from '@portal/database';
import { it } from 'vitest';

it('The migrations make what the schema says', async () => {
  await assertNoDrift(fileURLToPath(new URL('../', import.meta.url)));
}, 60_000);
