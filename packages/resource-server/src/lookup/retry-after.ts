/** Seconds that a server may ask to be left alone, so that a wrong header cannot shut an API down. */
export const longestPause = 60;

/**
 * Whole seconds of a `Retry-After` header (RFC 9110 §10.2.3), from 1 to 60; `undefined` if there is none that can be read.
 * @param now epoch milliseconds
 */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), longestPause);
}
