/** A timestamp: epoch milliseconds. */
export const timestampSchema = { type: 'integer', minimum: 0 } as const;
