/** Epoch milliseconds: the end of a lifetime, and the time of the request. */
export interface Times {
  readonly expires: number;
  readonly now: number;
}

/** @param what the subject of the sentence */
export function expiredAt(what: string, { expires }: Pick<Times, 'expires'>): string {
  return `${what} expired at ${new Date(expires).toISOString()}.`;
}

/** What was expected, and what came. */
export function timesOf(what: string, times: Times) {
  return { expected: until(what, times), came: `a request at ${new Date(times.now).toISOString()}` };
}

export function until(what: string, { expires }: Pick<Times, 'expires'>): string {
  return `${what} until ${new Date(expires).toISOString()}`;
}
