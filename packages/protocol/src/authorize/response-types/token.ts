import { type ImplicitFlowDependencies, implicitFlow } from './implicit-flow.ts';
import type { ResponseType } from './response-type.ts';

/** The implicit grant (RFC 6749 §4.2). */
export function tokenResponseType(deps: ImplicitFlowDependencies): ResponseType {
  return implicitFlow('token', { accessToken: true, idToken: false }, deps);
}
