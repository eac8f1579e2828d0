import { type ImplicitFlowDependencies, implicitFlow } from './implicit-flow.ts';
import type { ResponseType } from './response-type.ts';

/** The client learns who the user is, and gets no access token (OpenID Connect Core §3.2). */
export function idTokenResponseType(deps: ImplicitFlowDependencies): ResponseType {
  return implicitFlow('id_token', { accessToken: false, idToken: true }, deps);
}
