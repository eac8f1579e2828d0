/**
 * Thrown by a store that cannot read or durably write now: a full disk, a locked file, a lost connection. The answer to the
 * request is `temporarily_unavailable`, and no write was acknowledged.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}
