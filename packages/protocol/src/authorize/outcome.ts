import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { ErrorForClient, ErrorForOwner } from './targets/authorization-error.ts';

/** How a step of the authorization endpoint ends: the browser gets an answer, or the request ends with an error. */
export type Outcome = AuthorizationAnswer | ErrorForClient | ErrorForOwner;
