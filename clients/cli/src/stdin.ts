/** All that is piped in. */
export async function readAll(stdin: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stdin) pieces.push(Buffer.from(piece as Buffer))
  return Buffer.concat(pieces).toString('utf8')
}
