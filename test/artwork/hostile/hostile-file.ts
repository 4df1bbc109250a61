/** A file made to hurt what reads it, or harmed by accident. It is made when it is wanted: some are large. */
export type HostileFile = { name: string; make: () => Buffer }
