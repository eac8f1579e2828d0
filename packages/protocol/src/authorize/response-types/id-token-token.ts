import { type ImplicitFlowDependencies, implicitFlow } from './implicit-flow.ts';
import type { ResponseType } from './response-type.ts';

/** The implicit grant, with an ID token (OpenID Connect Core §3.2). */
export function idTokenTokenResponseType(deps: ImplicitFlowDependencies): ResponseType {
  return implicitFlow('id_token token', { accessToken: true, idToken: true }, deps);
}
