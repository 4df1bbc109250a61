import { createFileRoute } from '@tanstack/react-router'
import { Board } from '../../production/board.tsx'

export const Route = createFileRoute('/$environment/production')({ component: Board })
