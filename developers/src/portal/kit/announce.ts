/** Tells who listens to the page, and not who looks at it. */
export function announce(text: string): void {
  const region = document.querySelector('#portal-news')
  if (!region) return
  // The same words twice are news twice.
  region.textContent = ''
  setTimeout(() => {
    region.textContent = text
  }, 50)
}
