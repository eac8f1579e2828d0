/** Hears of each request that a client authenticated with one of its secrets. */
export interface SecretUses {
  /** Called within the request, so it only takes a note. @param now epoch milliseconds */
  secretUsed(clientRecordId: number, secretId: number, now: number): void;
}
