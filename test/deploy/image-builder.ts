import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import {
  type Copy,
  DockerfileParser,
  type From,
  type Instruction,
  type JSONInstruction,
  type PropertyInstruction,
} from 'dockerfile-ast'

/**
 * Builds an image from a Dockerfile without a container engine: each step runs by chroot in a root folder of its stage, in
 * namespaces of its own. It needs root, and Debian's and npm's registries.
 *
 * Base images cannot be fetched. A root that debootstrap made stands for `debian:bookworm-slim`; the same with this
 * process's Node and npm for `node:…-bookworm-slim`. So the steps are the real ones, and what they stand on is alike.
 */
export type Image = {
  root: string
  user: string
  directory: string
  environment: Readonly<Record<string, string>>
  command: readonly string[]
  healthCheck: readonly string[]
  stopSignal: string
  volumes: readonly string[]
}

type Stage = { root: string; directory: string; environment: Record<string, string> }

const run = promisify(execFile)

/** @param folder gets the roots of the stages; they are mounts, which `removeImage` takes away */
export async function buildImage(
  dockerfile: string,
  context: string,
  folder: string,
  arguments_: Readonly<Record<string, string>>,
  tell: (line: string) => void,
): Promise<Image> {
  const cleaned = join(folder, 'context')
  copyContext(context, cleaned)
  const stages = new Map<string, Stage>()
  let stage: Stage = { root: '', directory: '/', environment: {} }
  const image = {
    user: 'root',
    command: [] as string[],
    healthCheck: [] as string[],
    stopSignal: '',
    volumes: [] as string[],
  }
  for (const instruction of DockerfileParser.parse(readFileSync(dockerfile, 'utf8')).getInstructions()) {
    const from = performance.now()
    switch (instruction.getKeyword()) {
      case 'FROM': {
        const { name, base } = stageOf(instruction as From)
        const parent = stages.get(base)
        const { directory, environment } = parent ?? { directory: '/', environment: {} }
        stage = { root: await makeRoot(folder, name, base, parent), directory, environment: { ...environment } }
        stages.set(name, stage)
        Object.assign(image, { user: 'root', command: [], healthCheck: [], volumes: [] })
        break
      }
      case 'WORKDIR':
        stage.directory = expanded(instruction, stage)
        mkdirSync(join(stage.root, stage.directory), { recursive: true })
        break
      case 'COPY': {
        const source = (instruction as Copy).getFromFlag()?.getValue()
        const root = source === undefined || source === null ? cleaned : stages.get(source)!.root
        copy(instruction as Copy, root, stage)
        break
      }
      case 'RUN':
        await runIn(stage, expandedNothing(instruction))
        break
      case 'ARG':
      case 'ENV':
        for (const property of (instruction as PropertyInstruction).getProperties()) {
          const [name, value] = [property.getName(), property.getValue() ?? '']
          stage.environment[name] =
            instruction.getKeyword() === 'ARG' ? (arguments_[name] ?? value) : substituted(value, stage.environment)
        }
        break
      case 'USER':
        image.user = expanded(instruction, stage)
        break
      case 'VOLUME':
        image.volumes = jsonOf(instruction)
        break
      case 'CMD':
        image.command = jsonOf(instruction)
        break
      case 'HEALTHCHECK':
        image.healthCheck = [...instruction.getArgumentsContent()!.matchAll(/"([^"]*)"/g)].map(([, word]) => word!)
        break
      case 'STOPSIGNAL':
        image.stopSignal = expanded(instruction, stage)
        break
      case 'EXPOSE':
        break
      default:
        throw new Error(`the test cannot do the step ${instruction.toString()}`)
    }
    const seconds = (performance.now() - from) / 1_000
    if (seconds > 1)
      tell(`${seconds.toFixed(0)} s  ${instruction.getKeyword()} ${instruction.getArgumentsContent()?.slice(0, 60)}`)
  }
  return { ...image, root: stage.root, directory: stage.directory, environment: stage.environment }
}

export async function removeImage(folder: string): Promise<void> {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  for (const mount of mounts.filter((path) => path.startsWith(`${folder}/`)).toReversed()) await run('umount', [mount])
  rmSync(folder, { recursive: true, force: true })
}

/** Where the root of Debian is kept between runs, since it takes a minute to make. */
export async function debianRoot(cache: string): Promise<string> {
  if (!existsSync(join(cache, 'complete'))) {
    rmSync(cache, { recursive: true, force: true })
    await run('debootstrap', ['--variant=minbase', 'bookworm', join(cache, 'root'), 'http://deb.debian.org/debian'])
    mkdirSync(join(cache, 'complete'))
  }
  return join(cache, 'root')
}

function stageOf(instruction: From): { name: string; base: string } {
  return { name: instruction.getBuildStage()!, base: instruction.getImage()! }
}

let debian: string | undefined

async function makeRoot(folder: string, name: string, base: string, parent?: Stage): Promise<string> {
  const [root, upper, work] = ['root', 'upper', 'work'].map((kind) => join(folder, `${name}-${kind}`)) as [
    string,
    string,
    string,
  ]
  for (const path of [root, upper, work]) mkdirSync(path, { recursive: true })
  if (base === 'scratch') return root
  debian ??= await debianRoot(process.env.DEBIAN_ROOT ?? '/tmp/partner-commerce-debian')
  const lower = [parent?.root ?? debian]
  if (/^node:[\d.]+-bookworm-slim$/.test(base)) lower.unshift(await nodeLayer(folder))
  else if (parent === undefined && base !== 'debian:bookworm-slim')
    throw new Error(`nothing stands for the base image ${base}`)
  await run('mount', [
    '-t',
    'overlay',
    '-o',
    `lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work}`,
    'overlay',
    root,
  ])
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true })
  return root
}

/** This process's Node, and the npm beside the outer one. */
async function nodeLayer(folder: string): Promise<string> {
  const layer = join(folder, 'node')
  if (existsSync(layer)) return layer
  const npm = join((await run('npm', ['root', '--global'])).stdout.trim(), 'npm')
  const local = join(layer, 'usr/local')
  mkdirSync(join(local, 'bin'), { recursive: true })
  cpSync(process.execPath, join(local, 'bin/node'))
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    await run('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name)])
  return layer
}

/** The files that `.dockerignore` leaves: here it excludes all, then names what comes in, then excludes names anywhere. */
function copyContext(context: string, target: string): void {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [all, ...rest] = lines
  const named = rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const anywhere = rest.filter((line) => line.startsWith('**/')).map((line) => line.slice(3))
  if (all !== '*' || named.length + anywhere.length !== rest.length) throw new Error('.dockerignore has another form')
  const patterns = anywhere.map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
  for (const name of named)
    cpSync(join(context, name), join(target, name), {
      recursive: true,
      filter: (path) =>
        !relative(context, path)
          .split('/')
          .some((part) => patterns.some((one) => one.test(part))),
    })
}

function copy(instruction: Copy, sourceRoot: string, stage: Stage): void {
  const words = instruction.getArguments().map((argument) => argument.getValue())
  const target = words.at(-1)!
  const into = target.startsWith('/') ? join(stage.root, target) : join(stage.root, stage.directory, target)
  for (const word of words.slice(0, -1)) {
    const source = join(sourceRoot, word)
    // A folder is copied by what is in it, a file into the folder.
    cpSync(source, statSync(source).isDirectory() ? into : join(into, basename(word)), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    })
  }
}

/** As Docker runs a step: by the shell, in the folder and with the variables so far. The cache of npm is this machine's. */
async function runIn({ root, directory, environment }: Stage, script: string): Promise<void> {
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim()
  const mounts = [
    `mkdir -p '${root}/var/cache/npm'`,
    `mount --bind '${cache}' '${root}/var/cache/npm'`,
    `mount -t proc proc '${root}/proc'`,
    `mount --rbind /dev '${root}/dev'`,
    `exec chroot '${root}' /bin/sh -c 'cd "$0" && exec /bin/sh -c "$1"' "$0" "$1"`,
  ]
  const words = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', mounts.join('\n'), directory, script]
  const own = {
    npm_config_cache: '/var/cache/npm',
    npm_config_prefer_offline: 'true',
    DEBIAN_FRONTEND: 'noninteractive',
  }
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    ...environment,
    ...own,
  }
  try {
    await run('unshare', words, { env, maxBuffer: 1 << 26 })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`RUN ${script}\n${stdout.slice(-3_000)}\n${stderr.slice(-3_000)}`, { cause: error })
  }
}

/** A step's script without the ends of its lines that only Docker reads; its variables are the shell's. */
function expandedNothing(instruction: Instruction): string {
  return instruction.getRawArgumentsContent()!.replaceAll(/\\\n/g, '\n').replaceAll(/\n\s*/g, ' ')
}

function expanded(instruction: Instruction, { environment }: Stage): string {
  return substituted(instruction.getArgumentsContent()!, environment)
}

function substituted(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{?(\w+)\}?/g, (_all, name: string) => environment[name] ?? '')
}

function jsonOf(instruction: Instruction): string[] {
  return (instruction as JSONInstruction).getJSONStrings().map((word) => word.getJSONValue())
}
