import type { Client } from '../../model/records/client.ts';
import type { CredentialKind } from '../../model/records/credential.ts';

/** Events that the rules report for metrics and statistics. */
export interface Instruments {
  /** An access token. */
  tokenIssued(grantType: string, client: Client): void;
  idTokenIssued(grantType: string, client: Client): void;
  /** A login session was started. @param authenticator name of the authentication module */
  loggedIn(authenticator: string): void;
  factorPresented(factor: PresentedFactor): void;
}

/** What somebody has presented to prove a login, beside a password. */
export interface PresentedFactor {
  readonly kind: CredentialKind;
  /** Whether it is the whole login, or comes after another proof. */
  readonly step: 'first_factor' | 'second_factor';
  /** `limited`: there were too many attempts before. */
  readonly outcome: 'success' | 'failure' | 'limited';
}
