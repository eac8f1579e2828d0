import { QueryClient } from '@tanstack/react-query';
import { AdminError } from '@watchword/admin-client';

const attempts = 3;
// Seconds for which a page waits by itself; longer waits are shown to the user.
const patience = 10;

/** Repeats requests that the server could not answer at once. */
export function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', staleTime: 10_000, retry: mayRetry, retryDelay },
      // The library would hold requests back while the browser takes itself to be offline, without an error.
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** The server is busy or out of reach: another attempt may go better. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof AdminError) || failures >= attempts - 1) return false;
  const isPassing = error.status === 0 || error.status === 503 || error.status === 429;
  return isPassing && (error.retryAfter ?? 0) <= patience;
}

/** Milliseconds until the next attempt; as long as the server asks for, if it asks. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof AdminError ? error.retryAfter : undefined;
  return Math.max(1000 * (asked ?? 0), 500 * 2 ** failures);
}
