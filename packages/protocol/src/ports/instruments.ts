/** What the rules report to whoever measures the service. */
export interface Instruments {
  tokenIssued(grantType: string): void;
}
