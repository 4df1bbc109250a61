import { type PersonalTable, personalTables } from './personal-fields.ts'

const head = `# People's data

What the service knows of people, why, how long, and what erasure does. The table is made from
\`src/privacy/personal-fields.ts\` by \`node bin/publish-privacy.ts\`; a column that is missing there fails a test.

**Export**: \`POST /staff/v1/{environment}/person-exports\` answers all that is known of a customer, a recipient, the people of an
order, a partner's person or a member of staff, with links to the files. An order is exported whole, and it may name a payer or
a recipient who is somebody else: read an export before you hand it out.

**Erasure**: \`POST /staff/v1/{environment}/erasures\`, with a reason and the id typed twice. Both take the permissions of \`ADMIN\`,
work on one environment, and leave a record in the audit log that names nobody.

- A person with an open order is not erased: finish or cancel it first. Print files and proofs of finished orders are removed.
- A customer's erasure takes the customer's own orders and those that go to the customer's e-mail address.
- Order numbers, amounts, taxes, quantities, dates, states and countries, tracking numbers and references of payments stay.
- Erased again, it takes what came since. A file that cannot be removed now is tried again every minute. Mails that another
  process kept as files go within an hour.
- Backups: the ledger of erasures in the object store (\`erasures/\`) is applied to an older database at every start. A restore
  brings back its newest state ([backup.md](backup.md)); keep backups no longer than you may keep the data. Whoever can write
  there can have people erased: let nobody but the service.
- Who acted stays: columns such as \`actor_id\` hold the username of a member of staff, or the id of a partner.
- An S3 whose bucket keeps versions has erased files until they expire: let old versions expire when your oldest backup does.
- The log of the process holds no names or addresses of people but network addresses.

| table and column | what it holds | whose | why | how long | what erasure does |
|---|---|---|---|---|---|
`

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
