import type { Client } from '../model/client.ts';

/** What the rules report to whoever measures the service. */
export interface Instruments {
  tokenIssued(grantType: string, client: Client): void;
}
