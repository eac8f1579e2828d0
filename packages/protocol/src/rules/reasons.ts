// Reasons of errors for the record owner of a client, which several rules have.

export const providerIsGone =
  'The identity provider with which the resource owner logged in is no longer configured.';

export const revokedWithClient = 'It was issued before all tokens of the client were revoked.';

/** @param what the subject of the sentence @param expires epoch milliseconds */
export function expiredAt(what: string, expires: number): string {
  return `${what} expired at ${new Date(expires).toISOString()}.`;
}
