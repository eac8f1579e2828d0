/** Headers of every answer: whatever this server says is for one caller at one moment (RFC 6749 §5.1). */
export const everyAnswer = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
} as const;
