import { Argument, Option, type Command } from 'commander'
import { command, runs } from '../command.ts'
import type { World } from '../world.ts'

/**
 * Completion for shells. What is printed only asks the program, by a hidden command, what may come next; so shells know
 * exactly the tree of commands, and there is one place that knows how to walk it.
 */
const shells = ['bash', 'zsh', 'fish'] as const

export function completionCommand(world: World, root: Command): Command {
  const made = command('completion', 'Print a script by which your shell completes commands and options', [
    'completion bash >> ~/.bashrc',
    'completion zsh > ~/.zfunc/_partner-commerce',
    'completion fish > ~/.config/fish/completions/partner-commerce.fish',
  ]).addArgument(new Argument('<SHELL>', 'your shell').choices(shells))
  root.addCommand(suggestCommand(world, root), { hidden: true })
  return runs(made, world, async (_call, shell) => world.terminal.own(scripts[shell as (typeof shells)[number]]))
}

/** `complete -- WORD …`: a line for each word that may stand where the last one is begun, with what it means. */
function suggestCommand(world: World, root: Command): Command {
  const made = command('complete', 'What may come next').argument('[WORDS...]').allowUnknownOption()
  return runs(made, world, async (_call, ...words) => {
    for (const { word, says } of suggestions(root, words)) world.terminal.own(`${word}\t${says}\n`)
  })
}

type Suggestion = { word: string; says: string }

/** @param words what stands behind the program's name; the last is begun, or empty */
export function suggestions(root: Command, words: readonly string[]): Suggestion[] {
  const begun = words.at(-1) ?? ''
  const { reached, position, awaiting } = walked(root, words.slice(0, -1))
  const fits = ({ word }: Suggestion): boolean => word === filesMark || word.startsWith(begun)
  if (awaiting) return valuesOf(awaiting).filter(fits)
  if (begun.startsWith('-')) return optionsOf(reached).filter(fits)
  const below = reached.commands
    .filter((each) => each.name() !== 'complete')
    .map((each) => ({ word: each.name(), says: each.description() }))
  const argument =
    reached.registeredArguments[position] ?? reached.registeredArguments.findLast((each) => each.variadic)
  const values = argument ? valuesOf(argument) : []
  return [...(position === 0 ? below : []), ...values].filter(fits)
}

/** The command that words lead to, how many arguments it has, and the option that waits for its value. */
function walked(root: Command, words: readonly string[]) {
  let reached = root
  let position = 0
  let awaiting: Option | undefined
  for (const word of words) {
    if (awaiting) {
      awaiting = undefined
      continue
    }
    if (word.startsWith('-')) {
      const option = everyOption(reached).find(({ short, long }) => word === short || word === long)
      awaiting = option && (option.required || option.optional) ? option : undefined
      continue
    }
    const below = position === 0 ? reached.commands.find((each) => each.name() === word) : undefined
    if (below) reached = below
    else position += 1
  }
  return { reached, position, awaiting }
}

/** The option's own, and those that all commands take. */
function everyOption(from: Command): Option[] {
  return [...from.options, ...(from.parent ? everyOption(from.parent) : [])]
}

function optionsOf(from: Command): Suggestion[] {
  const options = everyOption(from).filter((each) => from.parent === null || each.long !== '--version')
  const shown = options.map((each) => ({ word: each.long ?? each.short!, says: each.description }))
  return [...shown, { word: '--help', says: 'show help' }]
}

/** Files are left to the shell: `FILE` alone on a line asks it for them. */
function valuesOf(of: Option | Argument): Suggestion[] {
  if (of.argChoices) return of.argChoices.map((word) => ({ word, says: '' }))
  const name = of instanceof Option ? of.flags : of.name()
  return /FILE/.test(name) ? [{ word: filesMark, says: '' }] : []
}

const filesMark = ':files'

const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# bash completion of partner-commerce
_partner_commerce() {
  local word says
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS=$'\\t' read -r word says; do
    if [ "$word" = "${filesMark}" ]; then
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
    else
      COMPREPLY+=("$word")
    fi
  done < <("\${COMP_WORDS[0]}" complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _partner_commerce partner-commerce
`,
  zsh: `#compdef partner-commerce
_partner_commerce() {
  local word says
  local -a found
  while IFS=$'\\t' read -r word says; do
    if [[ "$word" == "${filesMark}" ]]; then
      _files
    else
      found+=("\${word//:/\\\\:}:$says")
    fi
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe 'partner-commerce' found
}
if [ "$funcstack[1]" = "_partner_commerce" ]; then
  _partner_commerce "$@"
else
  compdef _partner_commerce partner-commerce
fi
`,
  fish: `# fish completion of partner-commerce
function __partner_commerce_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test (string split \\t -- $line)[1] = "${filesMark}"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c partner-commerce -f -a '(__partner_commerce_complete)'
`,
}
