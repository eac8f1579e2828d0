/** Headers of every answer. Each answer is for one caller at one time, so no cache stores it (RFC 6749 §5.1). */
export const everyAnswer = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
} as const;
