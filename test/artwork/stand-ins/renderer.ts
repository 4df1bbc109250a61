import { standIn } from './deed.ts'

standIn('renderer')
