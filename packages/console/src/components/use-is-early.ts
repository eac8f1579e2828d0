import { AdminError } from '@watchword/admin-client';
import { useEffect, useState } from 'react';

/** Whether the server has asked to wait, and another attempt would come too early. */
export function useIsEarly(error: unknown): boolean {
  const seconds = error instanceof AdminError ? (error.retryAfter ?? 0) : 0;
  const [waited, setWaited] = useState<unknown>();
  useEffect(() => {
    if (seconds === 0) return;
    // A timer takes at most some 24 days.
    const timer = setTimeout(() => setWaited(error), Math.min(seconds * 1000, 0x7fffffff));
    return () => clearTimeout(timer);
  }, [error, seconds]);
  return seconds > 0 && waited !== error;
}
