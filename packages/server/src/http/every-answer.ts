/** Headers of every answer. */
export const everyAnswer = { 'x-content-type-options': 'nosniff' } as const;

/** Headers of an answer for one caller at one time, so that no cache stores it (RFC 6749 §5.1). */
export const uncachedAnswer = { ...everyAnswer, 'cache-control': 'no-store', pragma: 'no-cache' } as const;
