import type { TestService } from './service.ts'

export type SiteCode = { language: string; code: string }

/** The code of a page of the developer site under one of its tabs, or of the page if it has none. */
export async function codeOf({ hosts }: TestService, path: string, tab?: string): Promise<SiteCode[]> {
  const text = await (await fetch(`${hosts.developerUrl}${path}.md`)).text()
  const parts = text.split(/^\*\*(curl|TypeScript|Python|Java|PHP)\*\*$/m)
  // What follows the code of a tab and is no code of its own is of no language.
  return parts.flatMap((part, index) =>
    index % 2 === 0 && parts[index - 1] === tab
      ? [...part.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map(([, language, code]) => ({
          language: language!,
          code: code!,
        }))
      : [],
  )
}
