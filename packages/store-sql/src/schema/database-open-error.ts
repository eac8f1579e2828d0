/** The database cannot be used. The message tells the operator what to do. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError';
}
