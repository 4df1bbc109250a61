import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  codeOf,
  isRecoveryCode,
  newRecoveryCodes,
  sealRecoveryCode,
  secondFactorStep,
  secondFactorText,
  secondFactorUri,
} from './second-factor.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number): Date => new Date(seconds * 1000)

test('codes are those of RFC 6238, appendix B', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(codeOf(secret, Math.floor(seconds / 30)), code)
  }
})

test('a code is accepted within one step of its time, however it is typed, and never twice or after a later one', () => {
  const step = 41_152_263
  const code = codeOf(secret, step)
  for (const seconds of [step * 30 - 30, step * 30, step * 30 + 59]) {
    assert.equal(secondFactorStep(secret, code, at(seconds), null), step)
  }
  assert.equal(secondFactorStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, at(step * 30), step - 1), step)
  for (const seconds of [step * 30 - 31, step * 30 + 60]) {
    assert.equal(secondFactorStep(secret, code, at(seconds), null), undefined)
  }
  assert.equal(secondFactorStep(secret, code, at(step * 30), step), undefined)
  assert.equal(secondFactorStep(secret, code, at(step * 30), step + 1), undefined)
  for (const typed of ['', '12345', `${code}0`, 'abcdef', '٠٠٠٠٠٠']) {
    assert.equal(secondFactorStep(secret, typed, at(step * 30), null), undefined)
  }
})

test('an app gets the secret as base32, typed or from a link', () => {
  assert.equal(secondFactorText(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const uri = new URL(secondFactorUri(secret, 'dana@primary.example', 'Partner Commerce'))
  assert.equal(uri.href.split('?')[0], 'otpauth://totp/Partner%20Commerce:dana%40primary.example')
  assert.equal(uri.searchParams.get('secret'), secondFactorText(secret))
})

test('recovery codes differ, and are recognised however they are typed', () => {
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  const keys = [Buffer.alloc(32, 'key')] as const
  const stored = sealRecoveryCode(keys, 'person', codes[0]!)
  assert.ok(isRecoveryCode(keys, 'person', ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')}`, stored))
  assert.ok(!isRecoveryCode(keys, 'person', codes[1]!, stored))
  assert.ok(!isRecoveryCode(keys, 'another', codes[0]!, stored))
})
