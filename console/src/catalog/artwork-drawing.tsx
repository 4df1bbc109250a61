import { Text } from '@mantine/core'
import classes from './catalog.module.css'

const side = 220

/** The finished piece to scale: bleed outside the trim, safe area inside. Sizes are in points of 1/72 inch. */
export function ArtworkDrawing({
  trimWidth,
  trimHeight,
  bleed = 0,
  safe = 0,
}: {
  trimWidth: number
  trimHeight: number
  bleed?: number
  safe?: number
}) {
  const [width, height] = [trimWidth + 2 * bleed, trimHeight + 2 * bleed]
  const scale = side / Math.max(width, height)
  const stroke = 1 / scale
  const inside = { width: trimWidth - 2 * safe, height: trimHeight - 2 * safe }
  const isSafeDrawn = safe > 0 && inside.width > 0 && inside.height > 0
  return (
    <figure style={{ margin: 0 }}>
      <svg
        className={classes.drawing}
        width={width * scale}
        height={height * scale}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Trim ${trimWidth} × ${trimHeight} pt, bleed ${bleed} pt, safe ${safe} pt`}
        fill="none"
        strokeWidth={stroke}
      >
        <rect
          x={stroke / 2}
          y={stroke / 2}
          width={width - stroke}
          height={height - stroke}
          stroke="var(--bad)"
          strokeDasharray={`${3 * stroke}`}
        />
        <rect x={bleed} y={bleed} width={trimWidth} height={trimHeight} stroke="currentColor" fill="var(--panel)" />
        {isSafeDrawn && (
          <rect
            x={bleed + safe}
            y={bleed + safe}
            {...inside}
            stroke="var(--good)"
            strokeDasharray={`${6 * stroke} ${3 * stroke}`}
          />
        )}
      </svg>
      <Text component="figcaption" size="xs" c="dimmed" mt={4}>
        {millimetres(trimWidth)} × {millimetres(trimHeight)} mm; bleed dotted {millimetres(bleed)} mm, safe dashed{' '}
        {millimetres(safe)} mm
      </Text>
    </figure>
  )
}

function millimetres(points: number): string {
  return ((points / 72) * 25.4).toFixed(1)
}
