/**
 * Thrown by a store whose data are damaged and cannot be read. Another attempt does not help. The answer to the request is
 * `store_damaged`, and the message tells the operator what to do.
 */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';
}
