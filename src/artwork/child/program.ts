import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The programs of the children, and what each may do. */
export type Program = {
  /** the file that it starts with; it may read the folder of this file */
  entry: string
  /** sharp is a library of machine code */
  addons: boolean
  /** the most that V8 may take for objects; files, pictures and the renderer's memory come on top */
  heapMegabytes: number
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** All that a child may read: its program, its libraries, and `package.json`, which names their versions. */
export function filesOf({ entry }: Program): string[] {
  const files = [
    dirname(entry),
    ...['src/artwork', 'src/vocabulary', 'node_modules', 'package.json'].map((path) => join(root, path)),
  ]
  // Some may be linked from elsewhere.
  return [...new Set([...files, ...files.map((path) => realpathSync(path))])]
}

/** The command line of a child: Node, with as few rights as the program needs. */
export function commandOf(program: Program): string[] {
  return [
    process.execPath,
    '--permission',
    ...filesOf(program).map((path) => `--allow-fs-read=${path}`),
    // Node warns that addons are outside its permissions: the layers around the process are for them.
    ...(program.addons ? ['--allow-addons', '--disable-warning=SecurityWarning'] : ['--no-addons']),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${program.heapMegabytes}`,
    '--max-semi-space-size=8',
    program.entry,
  ]
}
