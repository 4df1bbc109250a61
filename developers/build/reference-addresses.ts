/**
 * The reference plugin serves an operation below `operations/`. On this site it stands at `/reference/<operation>/`, where
 * the portal, the command line and problem pages link it.
 */
export function referenceAddresses() {
  return {
    name: 'reference-addresses',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | undefined {
      if (!/starlight-openapi\/libs\/(?:operation|route|pathItem)\.ts/.test(id)) return undefined
      if (!code.includes('operations/')) throw new Error(`${id} no longer has the addresses that are changed here.`)
      return code.replaceAll(/operations\/(tags\/)?(?=\$\{)/g, (_, tags: string | undefined) => tags ?? '')
    },
  }
}
