import { createFileRoute } from '@tanstack/react-router'
import { Bench } from '../../shipping/bench.tsx'

export const Route = createFileRoute('/$environment/shipping')({ component: Bench })
