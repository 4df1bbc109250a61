/**
 * Settings by which PostgreSQL chooses plans, the same on every server: statements are short, and walk indexes. Compiling one
 * (`jit`) takes longer than it runs. By PostgreSQL's own a page of products takes about twice as long.
 */
export const planning = { jit: 'off', random_page_cost: '1.1', max_parallel_workers_per_gather: '0' } as const
