/** A timestamp: epoch milliseconds. */
export const timestampSchema = { type: 'integer', minimum: 0 } as const;

/** The same for one that is not known, or has not been. */
export const nullableTimestampSchema = { ...timestampSchema, type: ['integer', 'null'] } as const;
