/** The IP addresses of clients behind proxies, in the forms in which proxies write them. */

import { expect, test } from 'vitest'
import { networkOf } from '../../src/server/admission/rates.js'
import { clientAddress, readAddress } from '../../src/server/http/client-address.js'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  // Azure Application Gateway adds the port.
  ['203.0.113.7:4444', '203.0.113.7'],
  ['"203.0.113.7:4444"', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:102:304', '1.2.3.4'],
  ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['', null],
  ['unknown', null],
  ['1.2.3', null],
  ['1.2.3.4:x', null],
  ['[1.2.3.4]x', null],
  ['_hidden', null],
])('%j is %j', (text, address) => {
  expect(readAddress(text)).toBe(address)
})

test('each proxy adds one address, and those before them prove nothing', () => {
  const behind = (proxies: number, forwarded?: string): string | null =>
    clientAddress({ socket: { remoteAddress: '::ffff:10.0.0.1' }, headers: { 'x-forwarded-for': forwarded } }, proxies)
  const header = '198.51.100.1, 203.0.113.7, 10.0.0.2'
  expect([0, 1, 2, 3, 4].map((proxies) => behind(proxies, header))).toEqual([
    ...['10.0.0.1', '10.0.0.2', '203.0.113.7', '198.51.100.1', '198.51.100.1'],
  ])
  expect([behind(1), behind(1, ''), behind(2, 'unknown, 10.0.0.2')]).toEqual(['10.0.0.1', null, null])
})

test('an IPv4-mapped address and the IPv4 address are one network', () => {
  expect(networkOf(readAddress('::ffff:1.2.3.4') ?? '')).toBe(networkOf('1.2.3.4'))
})
