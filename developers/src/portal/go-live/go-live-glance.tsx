export function GoLiveGlance() {
  return null
}
