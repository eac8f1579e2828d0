import type { Client } from '../model/client.ts';

/** Events that the rules report for metrics and statistics. */
export interface Instruments {
  tokenIssued(grantType: string, client: Client): void;
}
