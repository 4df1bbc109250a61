import { erasureReasons } from './erase-person.ts'
import { type PersonalTable, personalTables } from './personal-fields.ts'

const head = `# People's data

What the service knows of people, why, how long, and what erasure does. The table is made from
\`src/privacy/personal-fields.ts\` by \`node bin/publish-privacy.ts\`; a column that is missing there fails a test.

**Export**: \`POST /staff/v1/{environment}/person-exports\` answers all that is known of a customer, a recipient, the people of an
order, a partner's person or a member of staff, with links to the files. An order is exported whole, and it may name a payer or
a recipient who is somebody else: read an export before you hand it out.

**Erasure**: \`POST /staff/v1/{environment}/erasures\`, with a reason and the id typed twice. Both take the permissions of \`ADMIN\`,
work on one environment, and leave a record in the audit log that names nobody. The id, by \`kind\`:

| \`kind\` | \`id\` | body |
|---|---|---|
| \`CUSTOMER\` | \`userId\`, of \`GET …/users?email=\` | \`{"kind": "CUSTOMER", "id": "20412", "confirm": "20412", "reason": "REQUEST"}\` |
| \`RECIPIENT\` | e-mail address | \`{"kind": "RECIPIENT", "id": "dana@example.com", "confirm": "dana@example.com", "reason": "REQUEST"}\` |
| \`ORDER\` | order number | \`{"kind": "ORDER", "id": "100417", "confirm": "100417", "reason": "REQUEST"}\` |
| \`PERSON\` | \`personId\`, of \`GET …/partners/{partnerId}/people\` | \`{"kind": "PERSON", "id": "5b1c…", "confirm": "5b1c…", "reason": "OTHER"}\` |
| \`STAFF\` | \`staffId\`, of \`GET /staff/v1/accounts\`: the UUID, and not the username | \`{"kind": "STAFF", "id": "9e07…", "confirm": "9e07…", "reason": "OTHER"}\` |

An id is a text also where it is a number. \`reason\` is ${listed(erasureReasons)}. An export
takes \`kind\` and \`id\` alone.

- A person with an open order is not erased: finish or cancel it first. Print files and proofs of finished orders are removed.
- A customer's erasure takes the customer's own orders and those that go to the customer's e-mail address.
- Order numbers, amounts, taxes, quantities, dates, states and countries, tracking numbers and references of payments stay.
- Erased again, it takes what came since. Files are removed after the answer where there are many, and one that cannot be removed
  now is tried again every minute; \`finishedOn\` is null until then. Mails that another process kept as files go within an hour.
- Invoices are sealed under a key per order, and erasure destroys the key. Every other field is overwritten or deleted in place, so
  older versions stand elsewhere for a time: in PostgreSQL's pages until they are vacuumed; in its write-ahead log until the
  server uses the segments again, which has no fixed time; in archived WAL and in backups, with the keys, until these are removed.
  With a backup a day, \`npm run -s backup -- --keep 14\` keeps both for 14 days, and nothing is removed while no backup is taken.
  Of pgBackRest, \`repo1-retention-full\` decides it.
- Backups: the ledger of erasures in the object store (\`erasures/\`) is applied to an older database at every start. A restore
  brings back its newest state ([backup.md](backup.md)); keep backups no longer than you may keep the data. Whoever can write
  there can have people erased: let nobody but the service.
- Never bring an older state of the ledger over a newer one. In an S3 bucket, that is what lies under \`production/erasures/\` and
  \`sandbox/erasures/\`. In the data folder, its files cannot be told from others, since all have hashed names: put no older copy
  of \`objects/\` in the place of a newer one, and let a copy only add what is missing (\`rsync --ignore-existing\`).
- Where an entry of the ledger is missing or damaged, those after it are applied all the same, and the log has an error with its
  number. Bring the file \`erasures/NUMBER.json\` back and start the service, or erase the person again if you know whom it named.
- Who acted stays: columns such as \`actor_id\` hold the username of a member of staff, or the id of a partner.
- An S3 whose bucket keeps versions has erased files until they expire: let old versions expire when your oldest backup does.
- The log of the process holds no names or addresses of people but network addresses.

| table and column | what it holds | whose | why | how long | what erasure does |
|---|---|---|---|---|---|
`

function listed(words: readonly string[]): string {
  return words
    .map((word) => `\`${word}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')
}

/** `docs/privacy.md`. */
export function privacyDocument(): string {
  const rows = Object.entries(personalTables).flatMap(([table, personal]) =>
    Object.entries(personal.fields).map(([column, [holds, erased]]) => {
      const cells = [`\`${table}.${column}\``, holds, personal.whose, personal.why, keptOf(personal)]
      return `| ${[...cells, doneBy(personal, erased, column)].join(' | ')} |\n`
    }),
  )
  return head + rows.join('')
}

function keptOf({ kept }: PersonalTable): string {
  return kept.startsWith('KEEP_') ? `\`${kept}\`` : kept
}

function doneBy({ rowsGo, instead, files = [] }: PersonalTable, erased: unknown, column: string): string {
  const file = files.includes(column) ? ', and the file is removed' : ''
  if (instead !== undefined) return instead
  if (rowsGo) return `the row is deleted${file}`
  if (erased === column) return 'it stays, so that every act has its author'
  return (erased === 'null' ? 'is emptied' : 'is replaced by a text that names nobody') + file
}
