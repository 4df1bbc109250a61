import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressRule } from './address-rule.ts'

function ruleAt(sourcesMax?: number) {
  let now = 0
  const rule = addressRule(() => now, sourcesMax)
  const admitted = (address: string, requests: number): number => {
    let count = 0
    for (let turn = 0; turn < requests; turn++) if (rule.admits(address)) count++
    return count
  }
  return { admitted, at: (seconds: number) => void (now = seconds * 1000) }
}

test('LIM-08 the edge admits 2,000 requests of one address in five minutes, and no more', () => {
  const { admitted, at } = ruleAt()
  assert.equal(admitted('203.0.113.1', 1200), 1200)
  at(269)
  assert.equal(admitted('203.0.113.1', 1200), 800)
  assert.equal(admitted('203.0.113.2', 1), 1)
})

test('LIM-08 a block ends once the count of the last five minutes is back within the limit', () => {
  const { admitted, at } = ruleAt()
  assert.equal(admitted('203.0.113.1', 2001), 2000)
  at(299)
  assert.equal(admitted('203.0.113.1', 1), 0)
  at(300)
  assert.equal(admitted('203.0.113.1', 1), 1)
})

test('LIM-08 a source that keeps sending while blocked stays blocked', () => {
  const { admitted, at } = ruleAt()
  admitted('203.0.113.1', 2001)
  for (let minutes = 1; minutes <= 10; minutes++) {
    at(minutes * 60)
    assert.equal(admitted('203.0.113.1', 500), 0, `${minutes} min`)
  }
  at(10 * 60 + 300)
  assert.equal(admitted('203.0.113.1', 1), 1)
})

test('LIM-08 a steady stream below the limit is never blocked', () => {
  const { admitted, at } = ruleAt()
  for (let second = 0; second < 3600; second++) {
    at(second)
    assert.equal(admitted('203.0.113.1', 6), 6)
  }
})

test('LIM-09 all partners that share an address are counted together, and so are all addresses of one IPv6 /64', () => {
  const { admitted } = ruleAt()
  for (let host = 1; host <= 2000; host++) assert.equal(admitted(`2001:db8::${host.toString(16)}`, 1), 1)
  assert.equal(admitted('2001:db8::beef', 1), 0)
  assert.equal(admitted('2001:db8:0:1::1', 1), 1)
})

test('when there are too many sources to remember, the longest quiet are forgotten and a busy one is not', () => {
  const { admitted, at } = ruleAt(100)
  const others = (network: string, hosts: number): void => {
    for (let host = 0; host < hosts; host++) admitted(`${network}.${host}`, 1)
  }
  admitted('203.0.113.1', 2001)
  others('198.51.100', 50)
  at(30)
  admitted('203.0.113.1', 1)
  others('192.0.2', 99)
  assert.equal(admitted('203.0.113.1', 1), 0)
  at(60)
  others('198.51.100', 100)
  assert.equal(admitted('203.0.113.1', 1), 1)
})
