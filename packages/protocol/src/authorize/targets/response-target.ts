import { protocolErrors } from '../../model/error-table.ts';
import type { RedirectableError } from '../../model/errors.ts';
import { describable } from '../../rules/describable.ts';
import { type FormPostAnswer, type FormPostTarget, formPostAnswer } from './form-post.ts';
import { type RedirectAnswer, type RedirectTarget, redirectAnswer } from './redirect.ts';

/** The target of the response to an authorization request. Each kind of target has a file in this folder. */
export type ResponseTarget = RedirectTarget | FormPostTarget;

/** A value of `response_mode`. */
export type ResponseMode = ResponseTarget['responseMode'];

/** What takes a response to the client. */
export type ClientResponse = RedirectAnswer | FormPostAnswer;

/** The parameters of an authorization response, without `state` and `iss`. */
export type ResponseParameters = Readonly<Record<string, string>>;

/** The target of a response mode. */
export function responseTarget(
  responseMode: ResponseMode,
  redirectUri: string,
  state: string | undefined,
): ResponseTarget {
  const to = { redirectUri, ...(state !== undefined && { state }) };
  return responseMode === 'form_post'
    ? { type: 'formPost', responseMode, ...to }
    : { type: 'redirect', responseMode, ...to };
}

/** A successful response (RFC 6749 §4.1.2, §4.2.2). @param issuer the base URL */
export function successResponse(
  target: ResponseTarget,
  parameters: ResponseParameters,
  issuer: string,
): ClientResponse {
  return responseWith(target, parameters, issuer);
}

/** An error response (RFC 6749 §4.1.2.1, §4.2.2.1). @param issuer the base URL */
export function errorResponse(
  target: ResponseTarget,
  { kind, message }: RedirectableError,
  issuer: string,
): ClientResponse {
  const { error } = protocolErrors[kind];
  return responseWith(target, { error, error_description: describable(message) }, issuer);
}

/** Every response has the client's `state` and the issuer (RFC 9207 §2). */
function responseWith(
  target: ResponseTarget,
  parameters: ResponseParameters,
  issuer: string,
): ClientResponse {
  const { state } = target;
  const all = { ...parameters, ...(state !== undefined && { state }), iss: issuer };
  return target.type === 'formPost' ? formPostAnswer(target, all) : redirectAnswer(target, all);
}
