/** The items that wait in a queue: how many, and for how long the oldest has waited. `queue` is snake_case. */
export type Backlog = { queue: string; length: number; oldestSeconds: number }
