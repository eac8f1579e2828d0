import { StoreUnavailableError } from '@watchword/protocol';

/**
 * Resolves as the answer does. If it takes longer, rejects, and the answer is dropped.
 *
 * @param limit milliseconds
 */
export async function withinTime<Answer>(answer: Promise<Answer>, limit: number): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new StoreUnavailableError('the database does not answer')), limit);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
