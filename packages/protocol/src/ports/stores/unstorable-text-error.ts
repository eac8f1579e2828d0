/**
 * Thrown by a store for text that it cannot hold or search for: U+0000, which PostgreSQL does not store. The rules reject
 * such text where they read it as a name; where a request names a record with it, its answer is `invalid_request`.
 */
export class UnstorableTextError extends RangeError {
  override readonly name = 'UnstorableTextError';
}
