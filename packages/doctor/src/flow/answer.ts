import { broken, type Finding, ok } from '../finding.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { type ClientRequests, clientRequests } from './client-requests.ts';
import { type Flow, named, type Steps } from './flow.ts';
import { errorsAdvice } from './registration.ts';
import { tokenSteps } from './tokens.ts';

/** What the client does with the answer at its redirect URI. @param known its requests, if it has sent one before */
export async function* answerSteps(
  location: string,
  request: AuthorizationRequest,
  flow: Flow,
  known: ClientRequests | undefined,
): Steps {
  const { search, hash } = new URL(location);
  const parameters = new URLSearchParams(request.codeVerifier === undefined ? hash.slice(1) : search);
  const finding = answerFinding(parameters, request, flow);
  yield* named('answer', [finding]);
  const requests = known ?? (yield* clientRequests(flow, 'token'));
  if (requests === undefined) return;
  const token = parameters.get('access_token');
  if (token !== null) return yield* tokenSteps({ accessToken: token }, requests, flow);
  const form = {
    grant_type: 'authorization_code',
    code: parameters.get('code') ?? '',
    redirect_uri: request.redirectUri,
    code_verifier: request.codeVerifier ?? '',
  };
  yield* tokenSteps({ form, nonce: request.nonce }, requests, flow);
}

function answerFinding(
  parameters: URLSearchParams,
  { state, codeVerifier }: AuthorizationRequest,
  flow: Flow,
): Finding {
  const name = codeVerifier === undefined ? 'access_token' : 'code';
  const [error, iss] = [parameters.get('error'), parameters.get('iss')];
  const cure = {
    expected: `a ${name}, with the state of the request and the issuer`,
    advice: errorsAdvice(flow),
  };
  if (error !== null) {
    return broken(`the client gets the error ${error}: ${parameters.get('error_description') ?? ''}`, cure);
  }
  if (!parameters.get(name)) return broken(`the client gets no ${name}`, cure);
  if (parameters.get('state') !== state) return broken('the client gets another state than it sent', cure);
  // RFC 9207 §2.4.
  if (iss !== null && iss !== flow.server.metadata.issuer)
    return broken(`the client gets the issuer ${iss}`, cure);
  return ok(`the browser brings the ${name} to ${flow.client.redirectUris[0]}`);
}
