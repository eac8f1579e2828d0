import type { RequestHead } from '../../model/request-head.ts';
import type { Parameters } from '../../rules/parameters.ts';

/** A form request whose caller must authenticate. */
export interface CredentialedRequest extends RequestHead {
  readonly parameters: Parameters;
}
