import { useState } from 'react'
import { useChange } from '../api/queries.ts'
import { announce } from '../kit/announce.ts'
import { Asking } from '../kit/confirm.tsx'
import { Form, TextField } from '../kit/fields.tsx'
import { Section } from '../kit/page.tsx'
import { countOf } from '../kit/words.ts'

const word = 'reset'

/** Back to the beginning. A word is typed, so that nobody does it by a slip. */
export function Reset() {
  const [told, setTold] = useState<string>()
  return (
    <Section
      title="Start over"
      says="Removes your orders, submissions, proofs, files and receivers here, puts your clock back and frees every partnerOrderId. Your clients and the catalog stay."
    >
      <Asking label="Reset your sandbox…" title="Reset your sandbox" className="button danger">
        {(close) => (
          <Confirm
            close={close}
            onDone={(text) => {
              setTold(text)
              announce(text)
              close()
            }}
          />
        )}
      </Asking>
      {told && (
        <p className="note" data-tone="good" role="status">
          {told}
        </p>
      )}
    </Section>
  )
}

function Confirm({ close, onDone }: { close: () => void; onDone: (told: string) => void }) {
  const [typed, setTyped] = useState('')
  const [isUnlike, setIsUnlike] = useState(false)
  const reset = useChange('resetSandbox', ({ orders, submissions, receivers }) =>
    onDone(
      `Removed: ${countOf(orders, 'order')}, ${countOf(submissions, 'submission')}, ${countOf(receivers, 'receiver')}.`,
    ),
  )
  return (
    <Form
      submit="Reset the sandbox"
      danger
      isPending={reset.isPending}
      error={reset.error}
      onSubmit={() => (typed.trim() === word ? reset.mutate({}) : setIsUnlike(true))}
      onCancel={close}
    >
      <p>This cannot be taken back. Orders of the demo data stay.</p>
      <TextField
        label={`Type ${word}`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        fault={isUnlike && typed.trim() !== word ? `This is not “${word}”.` : undefined}
      />
    </Form>
  )
}
