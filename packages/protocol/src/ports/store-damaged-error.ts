/**
 * Thrown by a store whose data cannot be read because they are damaged. Another attempt does not help: the request
 * is answered `store_damaged`, and the message tells the operator what does.
 */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';
}
