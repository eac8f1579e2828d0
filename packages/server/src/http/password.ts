/** Where a user sets a password. The server logs no query (`runtime/access-log.ts`). @param value of a reset link */
export function resetLinkPath(value: string): string {
  return `/account/set-password?link=${value}`;
}
