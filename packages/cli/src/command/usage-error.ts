/** The command was called in a wrong way: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
