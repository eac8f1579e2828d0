import type { Client } from '../../model/records/client.ts';

/** Events that the rules report for metrics and statistics. */
export interface Instruments {
  /** An access token. */
  tokenIssued(grantType: string, client: Client): void;
  idTokenIssued(grantType: string, client: Client): void;
  /** A login session was started. @param authenticator name of the authentication module */
  loggedIn(authenticator: string): void;
}
