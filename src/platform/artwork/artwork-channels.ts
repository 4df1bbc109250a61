/** Hinted when a file is to be inspected. */
export const artworkQueued = 'artwork_queued'

/** Hinted when the result of a print file is there or has changed, since its line's proof may be due. */
export const artworkInspected = 'artwork_inspected'
