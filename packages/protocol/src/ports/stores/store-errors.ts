/**
 * Thrown by a store that cannot read or durably write now: a full disk, a locked file, a lost connection. The answer to the
 * request is `temporarily_unavailable`, and no write was acknowledged.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/**
 * Thrown by a store whose data are damaged and cannot be read. Another attempt does not help. The answer to the request is
 * `store_damaged`, and the message tells the operator what to do.
 */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';
}

/**
 * Thrown by a store for text that it cannot hold or search for: U+0000, which PostgreSQL does not store. The rules reject
 * such text where they read it as a name; where a request names a record with it, its answer is `invalid_request`.
 */
export class UnstorableTextError extends RangeError {
  override readonly name = 'UnstorableTextError';
}
