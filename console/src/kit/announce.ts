/**
 * Says to who does not see the page that a change is made (WCAG 4.1.3). What a change alters is elsewhere on the page, and
 * often only a word.
 */
export function announce(message: string): void {
  const region = document.getElementById(regionId)
  if (!region) return
  // What is said twice is told twice only if the region was empty between.
  region.textContent = ''
  window.setTimeout(() => {
    region.textContent = message
  }, 50)
}

export const regionId = 'said'
