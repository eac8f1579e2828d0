/**
 * Thrown by a store that cannot read or durably write right now: a full disk, a locked file, a lost
 * connection. The request is answered `temporarily_unavailable`; nothing was acknowledged.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}
