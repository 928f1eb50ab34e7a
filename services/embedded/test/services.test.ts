import { servicesWithDatabase } from '@portal/contracts';
import { expect, test } from 'vitest';
import { services } from '../src/services.ts';

test('The embedded host runs every service that has a database, and the gateway in front of them', () => {
  expect(services.map(({ name }) => name).sort()).toEqual([...servicesWithDatabase].sort());
});
