/** The key in the object store of an entry of the ledger of erasures. */
export function erasureKey(ledgerNumber: number): string {
  return `erasures/${ledgerNumber}.json`
}
