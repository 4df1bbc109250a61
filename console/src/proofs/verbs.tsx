import { Alert, Button, FileInput, Group, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { call, type AnswerOf } from '../api/api.ts'
import { ChoiceField, Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { noReason, ReasonFields, reasonGiven, useReasons } from '../kit/reasons.tsx'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useEscape } from './escape.ts'
import type { At } from './reads.ts'
import classes from './verbs.module.css'

/** What is asked for before a verb of the desk is done. Each stands in the page, with its button ready for Enter. */

type Asked = { at: At; close: () => void; onDone: () => void }

/** Puts the focus where the next key is wanted, and lets Escape close. */
function Panel({
  label,
  close,
  focus,
  children,
}: {
  label: string
  close: () => void
  focus: string
  children: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  useEscape(close)
  useEffect(() => {
    frame.current?.querySelector<HTMLElement>(focus)?.focus()
  }, [focus])
  return (
    <section ref={frame} className={classes.panel} aria-label={label}>
      {children}
    </section>
  )
}

/** A decision is on what lies on the desk: `ifMatch` is the revision of the order that shows it. */
type AskedOfProof = Asked & { ifMatch: string | undefined }

export function Approve({ at, close, onDone, ifMatch }: AskedOfProof) {
  const form = useForm('approveProof', {
    initial: { comment: '' },
    input: ({ comment }) => ({ path: at, body: comment ? { comment } : {}, ifMatch }),
    onDone,
  })
  return (
    <Panel label="Approve" close={close} focus="button[type=submit]">
      <Form form={form} submit="Approve for the customer" onCancel={close}>
        <TextField form={form} name="comment" label="Comment" placeholder="Who approved, and how" />
      </Form>
    </Panel>
  )
}

/** Stands where the decision on the proof before it stood. */
export function NewerProof({ close }: { close: () => void }) {
  return (
    <Panel label="A newer proof" close={close} focus="button">
      <Alert color="yellow" role="alert" p="xs" title="A newer proof has come">
        <Text size="sm">Nothing was decided. Look at this one, then decide.</Text>
      </Alert>
      <Button variant="default" size="xs" mt="sm" onClick={close}>
        Look at it
      </Button>
    </Panel>
  )
}

export type Reason = AnswerOf<'listOfferedDenialReasons'>['reasons'][number]

/** The number keys choose the reason while this is open. */
export function Decline({
  at,
  close,
  onDone,
  ifMatch,
  reasons,
  reason,
  onReason,
}: AskedOfProof & { reasons: readonly Reason[]; reason: string; onReason: (code: string) => void }) {
  const form = useForm('declineProof', {
    initial: { comment: '' },
    input: ({ comment }) => ({ path: at, body: { reason, ...(comment && { comment }) }, ifMatch }),
    onDone,
  })
  const chosen = reasons.find(({ code }) => code === reason)
  form.shown.add('reason')
  return (
    <Panel label="Decline" close={close} focus="button[type=submit]">
      <Form form={form} submit={chosen ? `Decline: ${chosen.label}` : 'Decline'} danger onCancel={close}>
        <Radio.Group label="Reason" value={reason} onChange={onReason} error={form.faultAt('reason')} name="reason">
          <div className={classes.reasons}>
            {reasons.map(({ code, label, description }, index) => (
              <Radio
                key={code}
                value={code}
                size="xs"
                label={
                  <>
                    {index < 9 && <kbd>{index + 1}</kbd>} {label}
                  </>
                }
                description={description}
              />
            ))}
          </div>
        </Radio.Group>
        <TextField form={form} name="comment" label="Comment" />
      </Form>
    </Panel>
  )
}

export function Hold({ at, close, onDone }: Asked) {
  const form = useForm('holdLine', {
    initial: noReason,
    input: (values) => ({ path: at, body: reasonGiven(values) }),
    onDone,
  })
  return (
    <Panel label="Hold" close={close} focus="input">
      <Form form={form} submit={`Hold line ${at.orderNumber} / ${at.lineNumber}`} danger onCancel={close}>
        <ReasonFields form={form} kind="hold" />
      </Form>
    </Panel>
  )
}

export function Problem({ at, close, onDone }: Asked) {
  const reasons = useReasons('problem').map(({ code, label }) => ({ value: code, label }))
  const form = useForm('reportProblem', {
    initial: { reason: '', problem: '' },
    input: ({ reason, problem }) => ({ path: at, body: { ...(reason && { reason }), ...(problem && { problem }) } }),
    onDone,
  })
  return (
    <Panel label="Report a problem" close={close} focus="input">
      <Form form={form} submit="Report the problem" onCancel={close}>
        <ChoiceField form={form} name="reason" label="Reason" data={reasons} clearable searchable />
        <LongField form={form} name="problem" label="What is the matter" />
      </Form>
    </Panel>
  )
}

/** A proof that was made elsewhere: a PDF, and a PNG that shows its first page. */
export function Upload({ at, close, onDone }: Asked) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [file, setFile] = useState<globalThis.File | null>(null)
  const [preview, setPreview] = useState<globalThis.File | null>(null)
  const put = async (given: globalThis.File): Promise<string> => {
    const contentType = given.type
    const reserved = await call('reserveLineUpload', environment, {
      path: at,
      body: { fileName: given.name, contentType },
    })
    const answer = await fetch(reserved.uploadUrl, {
      method: 'PUT',
      body: given,
      headers: { 'Content-Type': reserved.contentType ?? contentType },
    })
    if (!answer.ok) throw new Error('The storage did not take the file. Try again.')
    return reserved.reservationName
  }
  const publish = useMutation({
    mutationFn: async (given: { file: globalThis.File; preview: globalThis.File }) =>
      call('publishUploadedProof', environment, {
        path: at,
        body: { file: await put(given.file), preview: await put(given.preview) },
      }),
    onSuccess: () => {
      onDone()
      return queries.invalidateQueries()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (file && preview) publish.mutate({ file, preview })
  }
  return (
    <Panel label="Upload a proof" close={close} focus="button">
      <form onSubmit={send}>
        <Stack gap="sm">
          <FileInput label="Proof, a PDF" accept="application/pdf" value={file} onChange={setFile} size="xs" required />
          <FileInput
            label="Its first page, a PNG"
            accept="image/png"
            value={preview}
            onChange={setPreview}
            size="xs"
            required
          />
          <Refused error={publish.error} />
          <Group gap="xs">
            <Button type="submit" loading={publish.isPending} disabled={!file || !preview}>
              Publish this proof
            </Button>
            <Button variant="subtle" color="gray" onClick={close}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
