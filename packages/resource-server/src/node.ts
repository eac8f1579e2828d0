import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Obligatory, protection, type Verifying } from './bearer/guard.ts';
import {
  askedBy,
  authorizationOf,
  type NodeRequest,
  type NodeResponse,
  send,
  urlOf,
} from './bearer/node-http.ts';
import { isPreflight } from './bearer/preflight.ts';
import { type WrapperRules, wrapperKinds } from './bearer/wrapper.ts';
import { AccessError } from './errors.ts';
import type { TokenInfo } from './token-info.ts';

/** A request that came with a good token. */
export type Protected<Request, Info = TokenInfo> = Request & { readonly tokenInfo: Info };

/**
 * Puts a guard around a handler of `node:http`, which gets `request.tokenInfo`. An `AccessError` that the handler throws
 * is answered too; for any other error the promise rejects. With `optional: true` the token info is undefined for a request without a token.
 * @throws ConfigurationError for rules that are none
 */
export function protect<
  Request extends NodeRequest = IncomingMessage,
  Response extends NodeResponse = ServerResponse,
>(
  verifier: Verifying,
  rules: WrapperRules<(request: Request, response: Response) => unknown> & Obligatory,
  handler: (request: Protected<Request>, response: Response) => unknown,
): (request: Request, response: Response) => Promise<void>;
export function protect<
  Request extends NodeRequest = IncomingMessage,
  Response extends NodeResponse = ServerResponse,
>(
  verifier: Verifying,
  rules: WrapperRules<(request: Request, response: Response) => unknown>,
  handler: (request: Protected<Request, TokenInfo | undefined>, response: Response) => unknown,
): (request: Request, response: Response) => Promise<void>;
export function protect<Request extends NodeRequest, Response extends NodeResponse>(
  verifier: Verifying,
  rules: WrapperRules<(request: Request, response: Response) => unknown>,
  handler: (request: Protected<Request, TokenInfo | undefined>, response: Response) => unknown,
): (request: Request, response: Response) => Promise<void> {
  const { guard, metadata } = protection(verifier, rules, wrapperKinds);
  return async (request, response) => {
    const open = metadata(request.method, () => urlOf(request));
    if (open !== undefined) return send(response, open);
    let answer: () => unknown;
    try {
      if (isPreflight(request.method, (name) => request.headers[name])) {
        answer = () => (rules.preflight ?? answerEmpty)(request, response);
      } else {
        const tokenInfo = await guard(authorizationOf(request), askedBy(request));
        answer = () => handler(Object.assign(request, { tokenInfo }), response);
      }
    } catch (error) {
      return answerError(response, error);
    }
    try {
      await answer();
    } catch (error) {
      // If the handler has begun to answer, its error can no longer be the answer.
      if (response.headersSent) throw error;
      answerError(response, error);
    }
  };
}

function answerError(response: NodeResponse, error: unknown): void {
  if (!(error instanceof AccessError)) throw error;
  send(response, error);
}

function answerEmpty(_request: NodeRequest, response: NodeResponse): void {
  response.statusCode = 204;
  response.end('');
}
