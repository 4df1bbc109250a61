import { Badge, Stack } from '@mantine/core'
import { useMay } from '../api/session.ts'
import { ChoiceField, Form, LongField, useForm } from '../kit/form.tsx'
import { Section } from '../kit/section.tsx'
import { verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import classes from './order.module.css'
import { nameOfLine, type Order } from './order.ts'

/** What staff wrote for each other, and what the partner reads. */
export function OrderNotes({ order }: { order: Order }) {
  const may = useMay()
  return (
    <Section title="Notes">
      <Stack gap="md">
        {order.notes.length > 0 && (
          <ul className={classes.notes}>
            {order.notes.map((note) => (
              <li key={note.noteId}>
                <div className={classes.note} data-withdrawn={note.withdrawnOn ? true : undefined} dir="auto">
                  {note.text}
                </div>
                <div className={classes.soft}>
                  {note.audience === 'PARTNER' ? <Badge variant="light">The partner reads it</Badge> : 'For staff'} ·{' '}
                  {note.author} · <When at={note.writtenOn} />
                  {note.lineNumber !== null && ` · line ${note.lineNumber}`}
                  {note.withdrawnBy && ` · withdrawn by ${note.withdrawnBy}`}
                </div>
                {note.withdrawnOn === null && (
                  <Verbs
                    first={0}
                    label="More for the note"
                    verbs={[
                      verb('withdrawNote', 'Withdraw the note', {
                        path: { orderNumber: order.orderNumber, noteId: note.noteId },
                      }),
                    ]}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {may('writeNote') && <NewNote key={order.notes.length} order={order} />}
      </Stack>
    </Section>
  )
}

function NewNote({ order }: { order: Order }) {
  const form = useForm('writeNote', {
    initial: { text: '', audience: 'STAFF', line: '' },
    draft: `note of ${order.orderNumber}`,
    input: ({ text, audience, line }) => ({
      path: { orderNumber: order.orderNumber },
      body: { text, audience: audience as 'STAFF' | 'PARTNER', lineNumber: line === '' ? null : Number(line) },
    }),
  })
  return (
    <Form form={form} submit="Write the note">
      <LongField form={form} name="text" label="Note" required />
      {order.partnerId !== null && (
        <ChoiceField
          form={form}
          name="audience"
          label="Who reads it"
          data={[
            { value: 'STAFF', label: 'Staff only' },
            { value: 'PARTNER', label: 'The partner too' },
          ]}
        />
      )}
      <ChoiceField
        form={form}
        name="line"
        label="About"
        path="lineNumber"
        clearable
        placeholder="The whole order"
        data={order.lines.map((line) => ({ value: String(line.lineNumber), label: nameOfLine(line) }))}
      />
    </Form>
  )
}
