/** What waits in a queue: how much, and since how long the oldest of it has. */
export type Backlog = { queue: string; length: number; oldestSeconds: number }
