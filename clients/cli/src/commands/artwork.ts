import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ArtworkSource } from '@partner-commerce/client'
import { artworkFile } from '@partner-commerce/client/files'
import type { Command } from 'commander'
import { command, group, numberOf, runs } from '../command.ts'
import { usage } from '../failure.ts'
import { openSession } from '../session.ts'
import { bold, cyan, green } from '../terminal/pieces.ts'
import { bytes } from '../terminal/words.ts'
import type { World } from '../world.ts'

export function artworkCommand(world: World): Command {
  return group('artwork', 'Send print files', [upload(world)])
}

function upload(world: World): Command {
  const made = command('upload', 'Upload a print file and attach it to a line of an order', [
    'artwork upload 10001001 5100247 card.pdf',
  ])
    .argument('<ORDER>', 'the order number')
    .argument('<ITEM>', 'the number of the line')
    .argument('<FILE>', 'the print file')
    .option('--name <NAME>', 'what the file is called there; its own name unless told')
  return runs<{ name?: string }>(made, world, async ({ flags, options }, order, item, file) => {
    const line = { orderNumber: numberOf('order', order!), itemNumber: numberOf('line', item!) }
    const source = await openFile(file!)
    const { client } = await openSession(world, flags)
    const { terminal, stop } = world
    const fileName = options.name ?? basename(file!)
    const attached = await client.uploadArtwork(
      {
        ...line,
        file: source,
        fileName,
        onProgress: ({ sentBytes, totalBytes }) => terminal.progress(bar(fileName, sentBytes, totalBytes)),
      },
      { signal: stop },
    )
    terminal.progress(undefined)
    if (flags.json) return terminal.json(attached)
    terminal.print(
      green('✓ '),
      bold(attached.fileName),
      ` attached (${bytes(attached.fileSize)}, MD5 ${attached.md5}).`,
    )
    terminal.say(
      'What inspection finds stands in the artwork of the line: ',
      cyan(`GET /v1/orders/${line.orderNumber}/items/${line.itemNumber}/artwork`),
    )
  })
}

async function openFile(file: string): Promise<ArtworkSource> {
  const found = await stat(file).catch((error: Error) => error)
  if (found instanceof Error) throw usage(`The file ${file} cannot be read: ${found.message}.`, 'Name a print file.')
  if (!found.isFile() || found.size === 0) {
    throw usage(`${file} is ${found.isFile() ? 'empty' : 'not a file'}.`, 'Name a print file with something in it.')
  }
  return artworkFile(file)
}

const barWidth = 24

function bar(name: string, sent: number, total: number): string {
  const share = total === 0 ? 1 : sent / total
  const full = Math.round(share * barWidth)
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `${name} ${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${percent} % of ${bytes(total)}`
}
