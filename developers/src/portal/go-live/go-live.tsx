export function GoLive() {
  return null
}
