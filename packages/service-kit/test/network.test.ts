import { expect, test } from 'vitest';
import { networkOf, oneCustomer } from '../src/network.ts';

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

test.each([
  ['2001:db8:0:1::5', '2001:db8:0:1:a:b:c:d', true],
  ['2001:db8::5', '2001:db8:0:0:a::', true],
  ['2001:db8:0:1::5', '2001:db8:0:2::5', false],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['10.0.0.1', '10.0.0.2', false],
])('%s and %s are of one customer: %s', (one, other, same) => {
  expect(networkOf(one, oneCustomer) === networkOf(other, oneCustomer)).toBe(same);
});
