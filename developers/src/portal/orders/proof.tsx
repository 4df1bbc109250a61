import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { call, type AnswerOf, type Revised } from '../api/client.ts'
import { isRefusal } from '../api/problems.ts'
import { useRead, useRevised } from '../api/queries.ts'
import { useEnvironment } from '../environment.ts'
import { announce } from '../kit/announce.ts'
import { Form, LongField } from '../kit/fields.tsx'
import { useEscape } from '../kit/escape.ts'
import { Loaded, Loading, Refused } from '../kit/loaded.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'

type Line = AnswerOf<'listOrderItems'>['items'][number]
type ProofOfLine = AnswerOf<'getProof'>
type Decided = 'APPROVED' | 'DECLINED'

/** A proof, large, and the decision on it. */
export function Proof({ line }: { line: Line }) {
  const { orderNumber, jobName, productName, quantity } = line
  // Only lines with a number are in proofing.
  const itemNumber = line.itemNumber ?? 0
  const proof = useRevised('getProof', { orderNumber, itemNumber })
  const id = useId()
  return (
    <article className="proof" aria-labelledby={id}>
      <h3 id={id}>
        <bdi>{jobName ?? productName}</bdi>
      </h3>
      <p className="soft">
        {quantity.toLocaleString('en-US')} × <bdi>{productName}</bdi> · line {itemNumber}
      </p>
      <Loaded query={proof}>
        {(seen) => (
          <div className="proof-parts">
            <Pictures proof={seen.answer} what={jobName ?? productName} readAnew={() => void proof.refetch()} />
            <Decision
              of={{ orderNumber, itemNumber }}
              what={jobName ?? productName}
              seen={seen}
              readAnew={async () => (await proof.refetch({ throwOnError: true })).data}
            />
          </div>
        )}
      </Loaded>
    </article>
  )
}

function Pictures({ proof, what, readAnew }: { proof: ProofOfLine; what: string; readAnew: () => void }) {
  const [failed, setFailed] = useState<string>()
  const current = proof.files.find(({ active }) => active)
  const { visualUrl } = proof
  return (
    <div>
      {visualUrl !== null && failed !== visualUrl ? (
        <a href={visualUrl} target="_blank" rel="noreferrer" className="picture">
          <img
            src={visualUrl}
            alt={`The proof of ${what}`}
            // Its address is good for some minutes only.
            onError={() => setFailed(visualUrl)}
          />
          <span className="unseen"> (opens in another tab)</span>
        </a>
      ) : (
        <div className="picture none">
          <p>{visualUrl === null ? 'The picture cannot be shown now.' : 'The picture did not arrive.'}</p>
          <button type="button" className="button small" onClick={readAnew}>
            Look again
          </button>
        </div>
      )}
      {current && (
        <p>
          {current.link === null ? (
            <span className="soft">The file of the proof cannot be had now; look again later.</span>
          ) : (
            <a href={current.link} target="_blank" rel="noreferrer">
              Open the proof as PDF
            </a>
          )}{' '}
          <span className="soft">
            Revision {proof.files.indexOf(current) + 1}, <When at={current.createdOn} zone />
          </span>
        </p>
      )}
    </div>
  )
}

type Asked = { orderNumber: number; itemNumber: number }

/** What tells a revision from the one before it. */
function revisionOf({ files }: ProofOfLine): string {
  return JSON.stringify(files.filter(({ active }) => active).map(({ name, createdOn }) => [name, createdOn]))
}

/**
 * Approve or decline, in place: the revision that was shown when the person chose, and none that came since. What was
 * decided meanwhile by others is told.
 */
function Decision({
  of,
  what,
  seen,
  readAnew,
}: {
  of: Asked
  what: string
  seen: Revised<ProofOfLine>
  readAnew: () => Promise<Revised<ProofOfLine> | undefined>
}) {
  const environment = useEnvironment()
  const cache = useQueryClient()
  const [choice, setChoice] = useState<{ decision: Decided; revision: string }>()
  const [comment, setComment] = useState('')
  const [reason, setReason] = useState('')
  const [sending, setSending] = useState<{ error: Error | null; isPending: boolean }>({ error: null, isPending: false })
  const [outcome, setOutcome] = useState<{ status: string | null; isOurs: boolean; wanted: Decided }>()
  const isSent = useRef(false)
  const revision = revisionOf(seen.answer)
  // The page shows a newer one by now, so what was chosen was another.
  const isNewer = choice !== undefined && choice.revision !== revision
  const chosen = isNewer ? undefined : choice?.decision
  const choose = (decision: Decided | undefined) => {
    setSending({ error: null, isPending: false })
    setChoice(decision && { decision, revision })
  }
  const decide = async (decision: Decided) => {
    if (isSent.current) return
    if (decision === 'DECLINED' && reason === '') {
      return setSending({ error: new Error('Choose a reason.'), isPending: false })
    }
    isSent.current = true
    setSending({ error: null, isPending: true })
    const said = comment.trim() === '' ? {} : { comment: comment.trim() }
    const ifSo = { ifMatch: seen.tag }
    try {
      if (decision === 'APPROVED') await call(environment, 'approveProof', { ...of, body: said }, ifSo)
      else await call(environment, 'declineProof', { ...of, body: { reason, ...said } }, ifSo)
      settle(decision, decision, true)
    } catch (error) {
      await refused(decision, error as Error).catch(() => setSending({ error: error as Error, isPending: false }))
    } finally {
      isSent.current = false
    }
  }
  /** What has become of the proof decides what is told. */
  const refused = async (decision: Decided, error: Error) => {
    if (isRefusal(error, 'order_item_cancelled')) return settle(decision, 'CANCELLED', false)
    if (!isRefusal(error, 'proof_not_pending_review', 'precondition_failed')) throw error
    const now = await readAnew()
    if (now?.answer.proofStatus !== 'PENDING_REVIEW') {
      return settle(decision, now?.answer.proofStatus ?? null, false)
    }
    const isSame = revisionOf(now.answer) === revision
    setSending({
      error: isSame ? new Error('This proof was read anew. Look at it, then decide.') : null,
      isPending: false,
    })
  }
  const settle = (wanted: Decided, status: string | null, isOurs: boolean) => {
    setSending({ error: null, isPending: false })
    setOutcome({ status, isOurs, wanted })
    announce(isOurs ? `${what}: ${status === 'APPROVED' ? 'approved' : 'declined'}` : `${what} was decided before`)
  }

  const isOver = outcome !== undefined
  const own = useKeptFocus(chosen, isOver)
  useEscape(own, () => choose(undefined), chosen !== undefined && !isOver && !sending.isPending)
  return (
    <div className="decide" role="group" aria-label={`Decision on ${what}`} tabIndex={-1} ref={own}>
      {outcome ? (
        <Outcome {...outcome} onSeen={() => void cache.invalidateQueries({ queryKey: [environment] })} />
      ) : chosen === undefined ? (
        <>
          {isNewer && (
            <p className="note" data-tone="warn" role="alert">
              A newer proof has come; look at it first. Nothing was decided.
            </p>
          )}
          <div className="row">
            <DecideButton decision="APPROVED" label="Approve" what={what} choose={choose} />
            <DecideButton decision="DECLINED" label="Decline" what={what} choose={choose} />
          </div>
        </>
      ) : (
        <Form
          submit={chosen === 'APPROVED' ? 'Approve: print it' : 'Decline: a new proof'}
          danger={chosen === 'DECLINED'}
          isPending={sending.isPending}
          error={sending.error}
          onSubmit={() => void decide(chosen)}
          onCancel={() => choose(undefined)}
        >
          {chosen === 'APPROVED' ? (
            <p>It is printed as the proof shows it, and charged. This cannot be taken back.</p>
          ) : (
            <Reasons of={of} reason={reason} setReason={setReason} />
          )}
          <LongField label="Comment for the people who make the proof" value={comment} onChange={setComment} />
        </Form>
      )}
    </div>
  )
}

function DecideButton({
  decision,
  label,
  what,
  choose,
}: {
  decision: Decided
  label: string
  what: string
  choose: (decision: Decided) => void
}) {
  return (
    <button
      type="button"
      className={decision === 'APPROVED' ? 'button first' : 'button'}
      aria-label={`${label} ${what}…`}
      data-decision={decision}
      onClick={() => choose(decision)}
    >
      {label}…
    </button>
  )
}

/** What was pressed is gone when the form comes, and the other way round: the keyboard goes with them. */
function useKeptFocus(chosen: Decided | undefined, isOver: boolean) {
  const own = useRef<HTMLDivElement>(null)
  const before = useRef<Decided>(undefined)
  useEffect(() => {
    const last = before.current
    before.current = chosen
    if (chosen !== undefined || isOver) own.current?.focus()
    else if (last !== undefined) own.current?.querySelector<HTMLElement>(`[data-decision="${last}"]`)?.focus()
  }, [chosen, isOver])
  return own
}

/** The reasons that this line offers. */
function Reasons({ of, reason, setReason }: { of: Asked; reason: string; setReason: (code: string) => void }) {
  const reasons = useRead('listDenialReasons', of)
  const id = useId()
  if (reasons.error) return <Refused error={reasons.error} />
  if (!reasons.data) return <Loading />
  return (
    <fieldset>
      <legend>What is wrong?</legend>
      {reasons.data.reasons.map(({ code, label, description }) => (
        <label key={code} className="check">
          <input type="radio" name={id} checked={reason === code} onChange={() => setReason(code)} />
          <span>
            <bdi>{label}</bdi>
            {description && <span className="soft"> {description}</span>}
          </span>
        </label>
      ))}
      {reasons.data.reasons.length === 0 && <p>This line offers no reason, so it cannot be declined here.</p>}
    </fieldset>
  )
}

function Outcome({
  status,
  isOurs,
  wanted,
  onSeen,
}: {
  status: string | null
  isOurs: boolean
  wanted: Decided
  onSeen: () => void
}) {
  const isAsWanted = status === wanted
  return (
    <div className="note decide" data-tone={isOurs || isAsWanted ? 'good' : 'warn'} role="status">
      <p>
        <Status value={status ?? 'UNKNOWN'} />
      </p>
      <p>{isOurs ? done[status as Decided] : decidedBefore(status, isAsWanted)}</p>
      <button type="button" className="button small" onClick={onSeen}>
        Take it off the list
      </button>
    </div>
  )
}

const done: Readonly<Record<Decided, string>> = {
  APPROVED: 'You approved it. It goes to production.',
  DECLINED: 'You declined it. The people who make the proof read why, and make another one.',
}

function decidedBefore(status: string | null, isAsWanted: boolean): string {
  if (status === 'CANCELLED') return 'The line was cancelled meanwhile, so there is nothing left to decide.'
  if (isAsWanted) {
    return 'Somebody had decided the same before you, perhaps a colleague or a program of yours. Nothing is left to do.'
  }
  if (status === 'APPROVED' || status === 'DECLINED') {
    const decision = status === 'APPROVED' ? 'approved' : 'declined'
    return `Somebody ${decision} it before you, perhaps a colleague or a program of yours. Your decision was not taken. If that is wrong, call your contact at once.`
  }
  return 'A newer file or proof has come meanwhile, so this one can no longer be decided. Your decision was not taken.'
}
