import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ArtworkFile, ArtworkFinding, ArtworkSource, LineArtwork, PartnerCommerce } from '@partner-commerce/client'
import { artworkFile } from '@partner-commerce/client/files'
import type { Command } from 'commander'
import { group, lineOf, ofLine, runs, type Line } from '../command.ts'
import { Failure, usage } from '../failure.ts'
import { openSession } from '../session.ts'
import { bold, cyan, dim, green, red, yellow, type Piece } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { bytes, status, when } from '../terminal/words.ts'
import type { World } from '../world.ts'

export function artworkCommand(world: World): Command {
  return group('artwork', 'Send print files, and see what inspection finds in them', [upload(world), findings(world)])
}

function upload(world: World): Command {
  const made = ofLine('upload', 'Upload a print file and attach it to a line of an order', [
    'artwork upload 10001001 5100247 card.pdf',
  ])
    .argument('<FILE>', 'the print file')
    .option('--name <NAME>', 'what the file is called there; its own name unless told')
  return runs<{ name?: string }>(made, world, async ({ flags, options }, order, item, file) => {
    const line = lineOf(order!, item!)
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
      'See what inspection finds: ',
      cyan(`partner-commerce artwork findings ${line.orderNumber} ${line.itemNumber} --wait`),
    )
  })
}

function findings(world: World): Command {
  const made = ofLine('findings', 'Show what inspection found in the newest print file of a line', [
    'artwork findings 10001001 5100247',
    'artwork findings 10001001 5100247 --wait --json',
  ])
    .option('-w, --wait', 'wait until the file is inspected')
    .option('--all', 'show the older files too, oldest first')
    .addHelpText('after', '\nIt exits with 1 if the newest file needs changes, cannot be read, or is not there.')
  return runs<{ wait?: true; all?: true }>(made, world, async ({ flags, options }, order, item) => {
    const line = lineOf(order!, item!)
    const { client } = await openSession(world, flags)
    const { terminal, stop } = world
    const artwork = await (options.wait
      ? inspected(client, line, terminal, stop)
      : client.getArtwork(line, { signal: stop }))
    const { files } = artwork
    const newest = files.at(-1)
    if (flags.json) terminal.json(artwork)
    else {
      const shown = options.all ? files : files.slice(-1)
      shown.forEach((file, index) => {
        if (index > 0) terminal.print()
        showFile(terminal, file)
      })
      const older = files.length - shown.length
      if (older > 0) {
        const said = older === 1 ? '1 older file; --all shows it too.' : `${older} older files; --all shows them too.`
        terminal.say(dim(`The line has ${said}`))
      }
      if (newest && isUnderWay(newest)) terminal.say(yellow('It is still being inspected; --wait waits for that.'))
    }
    refuseFaulty(line, newest)
  })
}

function refuseFaulty({ orderNumber, itemNumber }: Line, newest: ArtworkFile | undefined): void {
  const send = `\`partner-commerce artwork upload ${orderNumber} ${itemNumber} FILE\``
  if (!newest) {
    throw new Failure('failed', `Line ${itemNumber} of order ${orderNumber} has no print file.`, `Send one: ${send}`)
  }
  const { fileName, inspection } = newest
  if (inspection.status !== 'needs_changes' && inspection.status !== 'unreadable') return
  throw new Failure(
    'failed',
    `${fileName} ${inspection.status === 'unreadable' ? 'cannot be read' : 'needs changes'}.`,
    `Mend it, and send it again: ${send}`,
  )
}

const pollMilliseconds = 500

/** The artwork of a line once its newest file is inspected. */
async function inspected(
  client: PartnerCommerce,
  line: Line,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<LineArtwork> {
  for (;;) {
    const artwork = await client.getArtwork(line, { signal })
    const newest = artwork.files.at(-1)
    if (!newest || !isUnderWay(newest)) {
      terminal.progress(undefined)
      return artwork
    }
    terminal.progress(`Waiting until ${newest.fileName} is inspected …`)
    await wait(pollMilliseconds, undefined, { signal })
  }
}

function isUnderWay({ inspection }: ArtworkFile): boolean {
  return inspection.status === 'queued' || inspection.status === 'inspecting'
}

const marks: Readonly<Record<string, Piece>> = { error: red('✗ '), sign_off: yellow('! '), warning: yellow('! ') }

function showFile(terminal: Terminal, { fileName, fileSize, attachedOn, inspection }: ArtworkFile): void {
  terminal.facts([
    ['File', bold(fileName)],
    ['Size', bytes(fileSize)],
    ['Attached', when(attachedOn)],
    ['Status', status(inspection.status)],
    ['Inspected', when(inspection.inspectedOn)],
  ])
  if (inspection.findings.length === 0) return
  terminal.print()
  for (const finding of inspection.findings) showFinding(terminal, finding)
}

/** As `doctor` does: what was found, and what cures it. A sentence that a table cuts off helps nobody. */
function showFinding(terminal: Terminal, { severity, page, message, code, fix }: ArtworkFinding): void {
  const where = page === null ? '' : `page ${page}: `
  terminal.print(marks[severity] ?? dim('○ '), bold(severity), dim(' · '), where, message, dim(`  ${code}`))
  terminal.print('  ', cyan(fix))
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
