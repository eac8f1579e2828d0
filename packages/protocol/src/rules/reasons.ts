// Reasons of errors for the record owner of a client, which several rules have.

export const providerIsGone =
  'The identity provider with which the resource owner logged in is no longer configured.';

export const revokedWithClient = 'It was issued before all tokens of the client were revoked.';

/** @param what the subject of the sentence @param expires epoch milliseconds */
export function expiredAt(what: string, expires: number): string {
  return `${what} expired at ${new Date(expires).toISOString()}.`;
}

/** The same as `expected` and `came` of an error. @param expires epoch milliseconds @param now epoch milliseconds */
export function timesOf(what: string, expires: number, now: number) {
  return {
    expected: `${what} until ${new Date(expires).toISOString()}`,
    came: `a request at ${new Date(now).toISOString()}`,
  };
}
