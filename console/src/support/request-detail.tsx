import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { RecordDetail } from '../audit/record-detail.tsx'
import { At } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { PartnerName, SiteName } from './names.tsx'
import { AnswerGiven } from './request-list.tsx'
import { SubmissionDetail } from './submission-detail.tsx'

/** Why did this request answer as it did, and what did it do? */
export function RequestDetail({ requestId }: { requestId: string }) {
  const request = useQuery(read(useEnvironment(), 'readRequest', { path: { requestId } }))
  return (
    <Loaded query={request}>
      {({ calls, submission, records }) => (
        <>
          {calls.length === 0 && (
            <Text size="sm">
              {records.some(({ actor }) => actor.kind === 'STAFF')
                ? 'It was made by staff. Only calls of partners are in the log; what it changed stands below.'
                : 'The log keeps calls for 14 days; this one is older, or it was no call of a partner.'}
            </Text>
          )}
          {calls.map((call, at) => (
            <Facts
              key={at}
              facts={[
                ['Call', call.operation ?? `${call.method} ${call.path}`],
                ['Answer', <AnswerGiven key="answer" request={call} />],
                ...(call.code ? ([['In words', call.codeMeans ?? inWords(call.code)]] as const) : []),
                ['When', <When key="when" at={call.recordedOn} siteId={call.siteId} />],
                ['Took', `${Math.round(call.milliseconds)} ms`],
                ['Path', `${call.method} ${call.path}`],
                ['Partner', call.partnerId && <PartnerName key="partner" partnerId={call.partnerId} />],
                ['Credential', call.credential],
                ['Site', <SiteName key="site" siteId={call.siteId} />],
                ['From', call.sourceAddress],
                [
                  'Others like it',
                  <At
                    key="others"
                    to={`/support?tab=requests&operation=${call.operation ?? ''}${call.code ? `&code=${call.code}` : ''}`}
                  >
                    Same call{call.code && ' and answer'}
                  </At>,
                ],
              ]}
            />
          ))}
          {submission && (
            <Section title="What it submitted">
              <Status value={submission.status} />
              <SubmissionDetail submissionId={submission.submissionId} />
            </Section>
          )}
          {records.length > 0 && (
            <Section title="What it changed">
              {records.map((record) => (
                <div key={record.auditId}>
                  <h3>{inWords(record.action.replaceAll('.', ': '))}</h3>
                  <RecordDetail record={record} />
                </div>
              ))}
            </Section>
          )}
        </>
      )}
    </Loaded>
  )
}
