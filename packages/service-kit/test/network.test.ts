import { expect, test } from 'vitest';
import { networkOf } from '../src/network.ts';

test.each([
  ['203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113'],
  ['2001:db8:1:2::7', '2001:db8:1'],
  ['2001:DB8:0001:2:3:4:5:6', '2001:db8:1'],
  ['2001:db8::', '2001:db8:0'],
  ['::1', '0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0'],
  ['not an address', 'not an address'],
  ['', ''],
])('The network of %s is %s', (address, network) => {
  expect(networkOf(address, { v4: 3, v6: 3 })).toBe(network);
});
