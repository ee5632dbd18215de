/** All that a pool keeps in its table has this partition key. */
export const poolPartition = (pool: string): string => `POOL#${pool}`;
