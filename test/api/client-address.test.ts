/** The IP addresses of clients behind proxies, in the forms in which proxies write them. */

import { expect, test } from 'vitest'
import { clientAddresses, networkOf, readAddress } from '../../src/server/http/request.js'

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

test('each proxy adds one address, and those before them prove nothing; a header that is not used is logged once', () => {
  const warnings: string[] = []
  const behind = (proxies: number, ...forwarded: (string | undefined)[]): (string | undefined)[] => {
    const addressOf = clientAddresses(proxies, { warn: (text: string) => void warnings.push(text) })
    const socket = { remoteAddress: '::ffff:10.0.0.1' }
    return forwarded.map((text) => addressOf({ socket, headers: { 'x-forwarded-for': text } }))
  }
  const header = '198.51.100.1, 203.0.113.7, 10.0.0.2'
  expect([1, 2, 3, 4].flatMap((proxies) => behind(proxies, undefined, header))).toEqual([
    ...['10.0.0.1', '10.0.0.2', '10.0.0.1', '203.0.113.7', '10.0.0.1', '198.51.100.1', '10.0.0.1', '198.51.100.1'],
  ])
  expect(warnings).toEqual([])
  expect([behind(0, header, header), behind(1, '', 'x'), behind(2, 'unknown, 10.0.0.2')].flat()).toEqual(
    Array(5).fill('10.0.0.1'),
  )
  expect(warnings).toEqual([
    'X-Forwarded-For arrived while TRUST_PROXY is off: all clients of a proxy share one limit',
    ...Array(2).fill('X-Forwarded-For cannot be read: all clients of a proxy share one limit'),
  ])
})

test('an IPv4-mapped address and the IPv4 address are one network', () => {
  expect(networkOf(readAddress('::ffff:1.2.3.4') ?? '')).toBe(networkOf('1.2.3.4'))
})

test.each([
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
])('the network of the IPv6 address %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
