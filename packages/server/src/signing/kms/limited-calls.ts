import { type KeyManagement, type KeyManagementCall, KeyManagementError } from '@watchword/protocol';

// Milliseconds. A request that needs a signature is answered within five seconds.
const patience = 4000;

export type CallKeyManagement = <Value>(
  /** For the error: `cannot sign`. */
  problem: string,
  work: (kms: KeyManagement, call: KeyManagementCall) => Promise<Value>,
) => Promise<Value>;

/** Calls with a time limit. Every failure becomes a {@link KeyManagementError}. */
export function limitedCalls(kms: KeyManagement): CallKeyManagement {
  return async (problem, work) => {
    const signal = AbortSignal.timeout(patience);
    const late = Promise.withResolvers<never>();
    const onAbort = () => late.reject(new Error(`it did not answer within ${patience / 1000} seconds`));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([work(kms, { signal }), late.promise]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new KeyManagementError(`the key management system "${kms.name}" ${problem}: ${reason}`, {
        cause: error,
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
}
