import { Stack, Text } from '@mantine/core'
import type { AnswerOf } from '../api/api.ts'
import { Unreachable } from '../api/problems.ts'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { countOf, numberTyped } from '../kit/number.ts'
import { Section } from '../kit/section.tsx'
import { asking, Verbs } from '../kit/verbs.tsx'
import { Movements } from './movements.tsx'

export type Level = AnswerOf<'listStock'>['variants'][number]

type Asked = { level: Level; close: () => void }

/** Where a variant lies, what may be done with its pieces, and what was. */
export function StockDetail({ level }: { level: Level }) {
  const { productId, variantId, productName, stockQuantity, reserved, onHand, shelves, onNoShelf } = level
  const isCounted = stockQuantity !== null
  const shown = (value: number | null) => (value === null ? 'Not counted' : value.toLocaleString('en-US'))
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [
            'Product',
            <At key="product" to={`/catalog/${productId}?tab=variants`}>
              {productName}
            </At>,
          ],
          ['Free', shown(stockQuantity)],
          ['Reserved', shown(reserved)],
          ['On hand', shown(onHand)],
          ...shelves.map(({ shelf, pieces }) => [`Shelf ${shelf}`, shown(pieces)] as const),
          ...(shelves.length > 0 && onNoShelf ? [['On no shelf', shown(onNoShelf)] as const] : []),
        ]}
      />
      <Verbs
        first={2}
        verbs={[
          asking('receiveStock', 'Receive…', (close) => <Receive level={level} close={close} />, {
            hidden: !isCounted,
          }),
          asking('moveStock', 'Move…', (close) => <Move level={level} close={close} />, { hidden: !isCounted }),
          asking('adjustStock', isCounted ? 'Set or adjust…' : 'Begin to count…', (close) => (
            <Adjust level={level} close={close} />
          )),
          asking('scrapStock', 'Scrap…', (close) => <Scrap level={level} close={close} />, {
            hidden: !isCounted,
            danger: true,
          }),
        ]}
      />
      <Section title="Movements">
        <Movements productId={productId} variantId={variantId} />
      </Section>
    </Stack>
  )
}

const pathOf = ({ productId, variantId }: Level) => ({ productId, variantId })

/** A shelf or a text that was left empty is none. */
const orNone = (text: string) => text.trim() || null

function Receive({ level, close }: Asked) {
  const form = useForm('receiveStock', {
    initial: { pieces: '', shelf: level.location ?? '', reason: '' },
    input: ({ pieces, shelf, reason }) => ({
      path: pathOf(level),
      body: { pieces: numberTyped(pieces), shelf: orNone(shelf), reason: orNone(reason) },
    }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Receive pieces" onCancel={close}>
      <TextField form={form} name="pieces" label="Pieces" required inputMode="numeric" autoFocus />
      <TextField form={form} name="shelf" label="Shelf" />
      <TextField form={form} name="reason" label="Delivery note or reason" />
      {form.error instanceof Unreachable && (
        <p role="status">
          {level.onHand === null ? 'None is' : `${countOf(level.onHand, 'piece')} are`} on hand now. Receive them again
          only if they are not among these.
        </p>
      )}
    </Form>
  )
}

function Move({ level, close }: Asked) {
  const form = useForm('moveStock', {
    initial: { pieces: '', from: level.shelves[0]?.shelf ?? '', to: '', reason: '' },
    input: ({ pieces, from, to, reason }) => ({
      path: pathOf(level),
      body: { pieces: numberTyped(pieces), from: orNone(from), to: orNone(to), reason: orNone(reason) },
    }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Move pieces" onCancel={close}>
      <TextField form={form} name="pieces" label="Pieces" required inputMode="numeric" autoFocus />
      <TextField form={form} name="from" label="From shelf" description="Empty: from no shelf" />
      <TextField form={form} name="to" label="To shelf" description="Empty: on no shelf" />
      <TextField form={form} name="reason" label="Reason" />
    </Form>
  )
}

function Scrap({ level, close }: Asked) {
  const form = useForm('scrapStock', {
    initial: { pieces: '', shelf: level.shelves[0]?.shelf ?? '', reason: '' },
    input: ({ pieces, shelf, reason }) => ({
      path: pathOf(level),
      body: { pieces: numberTyped(pieces), shelf: orNone(shelf), reason },
    }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Scrap pieces of ${level.sku ?? level.productName}`} danger onCancel={close}>
      <TextField form={form} name="pieces" label="Pieces" required inputMode="numeric" autoFocus />
      <TextField form={form} name="shelf" label="Shelf" />
      <LongField form={form} name="reason" label="Reason" required />
    </Form>
  )
}

/** `+5` and `-3` change the stock, `480` sets it. */
function Adjust({ level, close }: Asked) {
  const form = useForm('adjustStock', {
    initial: { amount: '', shelf: '', reason: '' },
    input: ({ amount, shelf, reason }) => ({
      path: pathOf(level),
      body: /^[+-]/.test(amount.trim())
        ? { pieces: numberTyped(amount), ...(shelf.trim() && { shelf: shelf.trim() }), reason }
        : { counted: numberTyped(amount), reason },
    }),
    onDone: close,
  })
  const changes = /^[+-]/.test(form.values.amount.trim())
  return (
    <Form form={form} submit={changes ? 'Adjust the stock' : 'Set the stock'} onCancel={close}>
      <TextField
        form={form}
        name="amount"
        path={changes ? 'pieces' : 'counted'}
        label="Pieces"
        required
        autoFocus
        description="480 sets what orders can take; +5 or -3 changes it."
      />
      {changes && <TextField form={form} name="shelf" label="Shelf" />}
      <LongField form={form} name="reason" label="Reason" required />
      {!changes && level.reserved > 0 && (
        <Text size="sm" c="var(--warn)">
          {level.reserved} pieces are reserved for orders and are not part of this number. A count sheet suits better.
        </Text>
      )}
    </Form>
  )
}
