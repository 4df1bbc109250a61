import { attempts, type Targets } from './attempts.ts'

/** Tries to break out without Node's permissions, as machine code could, and prints what came of it. */
process.stdout.write(JSON.stringify(await attempts(JSON.parse(process.argv[2]!) as Targets)))
process.exit()
