import { StoreUnavailableError } from '@watchword/protocol';

/** Another transaction was in the way, so this one changed nothing. The same work can succeed now. */
export class TransactionConflictError extends StoreUnavailableError {}

const maxAttempts = 3;

/**
 * Repeats a transaction after a conflict with another one: who stores much at a time, in many sessions, must not keep others from ending
 * them.
 */
export async function repeatedAfterConflict<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TransactionConflictError) || attempt === maxAttempts) throw error;
    }
  }
}
