/** Headers of an answer that caches can store. */
export const cachedAnswer = { 'x-content-type-options': 'nosniff' } as const;

/** Headers of every other answer. Each is for one caller at one time, so no cache stores it (RFC 6749 §5.1). */
export const everyAnswer = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  ...cachedAnswer,
} as const;
