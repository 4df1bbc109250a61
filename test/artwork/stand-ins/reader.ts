import { standIn } from './deed.ts'

standIn('reader')
