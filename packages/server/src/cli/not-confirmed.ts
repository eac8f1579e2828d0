/** Whoever was asked did not agree, so that nothing was done: exit code 1. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}
