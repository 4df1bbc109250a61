import { guideToProblem } from '../contract/guides.ts'
import type { ProblemCode } from '../contract/problems.ts'
import type { Headers } from '../http/answering/send.ts'

/**
 * `Link` headers (RFC 8288) that lead from an answer to the developer site: to its first page on every answer, and on a
 * problem also to the page about its code.
 */
export type DeveloperLinks = {
  ofAnswer: () => Headers
  /** in place of those */
  ofProblem: (code: ProblemCode) => Headers
}

/** @param developerUrl the developer site, as people reach it */
export function developerLinks(developerUrl: () => string): DeveloperLinks {
  // Every answer has it, so it is written once.
  let written = { url: '', headers: { link: '' } }

  function ofAnswer(): { link: string } {
    const url = developerUrl()
    if (url !== written.url) written = { url, headers: { link: `<${url}/>; rel="service-doc"; type="text/html"` } }
    return written.headers
  }

  return {
    ofAnswer,
    ofProblem: (code) => ({
      link: `${ofAnswer().link}, <${developerUrl()}${guideToProblem(code)}>; rel="help"; type="text/html"`,
    }),
  }
}
