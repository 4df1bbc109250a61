import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { processorSeconds, statOf } from '../../bench/process.ts'

const skip = statOf(process.pid) === undefined && 'There is no /proc'

test('processor time holds that of children once, while they live and after they ended', { skip }, async () => {
  // It works in a child until it is told to end it, and then works no more itself.
  const shell = spawn('sh', [
    '-c',
    'sh -c "while :; do :; done" & echo $!; read end; kill $!; wait; echo ended; read end',
  ])
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  try {
    const child = Number((await lines.next()).value)
    while ((statOf(child)?.seconds ?? 0) < 0.3);
    const living = processorSeconds(shell.pid!)
    assert.ok(living >= 0.3, `${living}`)
    assert.ok(processorSeconds(shell.pid!, child) < 0.2, 'the child is left out')
    shell.stdin.write('\n')
    const lastSeen = statOf(child)!.seconds
    assert.equal((await lines.next()).value, 'ended')
    assert.equal(statOf(child), undefined)
    const ended = processorSeconds(shell.pid!)
    assert.ok(ended >= living, `${living} before, ${ended} after`)
    assert.ok(ended < lastSeen + 0.3, `${ended} after the child had ${lastSeen}`)
  } finally {
    shell.stdin.end()
    await once(shell, 'exit')
  }
})
