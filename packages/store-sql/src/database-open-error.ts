/** A database that cannot be served. Its message tells an operator what to do. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError';
}
