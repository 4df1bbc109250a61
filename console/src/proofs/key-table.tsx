import classes from './desk.module.css'
import type { Reason } from './verbs.tsx'

const keys: readonly (readonly [keys: string, does: string])[] = [
  ['j Enter', 'Next'],
  ['k', 'Previous'],
  ['a', 'Approve for the customer'],
  ['x', 'Decline'],
  ['p', 'Publish the proof'],
  ['e', 'Enter proofing'],
  ['u', 'Upload a proof'],
  ['h', 'Hold, release'],
  ['r', 'Report or clear a problem'],
  ['t', 'Download the file'],
  ['n', 'Next finding'],
  ['w', 'Waive the finding'],
  ['i', 'Inspect again'],
  ['s', 'Side by side'],
  ['l', 'Slider'],
  ['o', 'Onion skin'],
  ['d', 'Difference'],
  ['f', 'Flip to the revision before'],
  [', .', 'Slider, onion: less, more'],
  ['[ ]', 'Page before, page after'],
  ['0', 'Fit'],
  ['z', '1:1, and back'],
  ['+ -', 'Larger, smaller'],
  ['← → ↑ ↓', 'Move'],
  ['b', 'Trim, bleed and safe area'],
  ['m', 'Marks'],
  ['Esc', 'Close'],
]

/** The keys of the desk, with those of the reasons for which this proof can be declined. */
export function KeyTable({ reasons }: { reasons: readonly Reason[] }) {
  const ofReasons = reasons.slice(0, 9).map(({ label }, index) => [String(index + 1), `Decline: ${label}`] as const)
  return (
    <section className={classes.keys} aria-label="Keys">
      <dl>
        {[...keys, ...ofReasons].map(([names, does]) => (
          <div key={names}>
            <dt>
              {names.split(' ').map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
