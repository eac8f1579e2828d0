import type { Client } from '../../model/client.ts';
import { protocolErrors } from '../../model/error-table.ts';
import type { RedirectableError } from '../../model/errors.ts';
import { describable } from '../../rules/describable.ts';
import { formPost } from './form-post.ts';
import { redirect } from './redirect.ts';
import type {
  ClientResponse,
  Destination,
  ResponseParameters,
  Target,
  TargetDependencies,
  TargetKind,
} from './target-kind.ts';

/** All kinds of targets. A response type says which of them a request can name. */
const kinds = { query: redirect, fragment: redirect, form_post: formPost };

/** A kind of target: a value of `response_mode`, if a request can name it. */
export type ResponseMode = keyof typeof kinds;

/** Where the response to an authorization request goes. */
export interface ResponseTarget extends Target {
  readonly responseMode: ResponseMode;
}

export function targetKind(responseMode: ResponseMode): TargetKind {
  return kinds[responseMode];
}

export function responseTarget(
  responseMode: ResponseMode,
  address: string,
  state: string | undefined,
): ResponseTarget {
  return { responseMode, address, ...(state !== undefined && { state }) };
}

/** Whether the client can have a response at that target, by its registration now. */
export function isAllowedTarget({ responseMode, address }: ResponseTarget, client: Client): boolean {
  return targetKind(responseMode).isAllowedFor(address, client);
}

/** What pages say of the target, and what their policy allows. */
export function destinationOf({ responseMode, address }: ResponseTarget): Destination {
  return targetKind(responseMode).destination(address);
}

/** A successful response (RFC 6749 §4.1.2, §4.2.2). @param parameters without `state` and `iss` */
export function successResponse(
  target: ResponseTarget,
  parameters: ResponseParameters,
  deps: TargetDependencies,
): ClientResponse | Promise<ClientResponse> {
  const all = completed(target, parameters, deps.issuer);
  return targetKind(target.responseMode).respond(target, all, deps);
}

/** An error response (RFC 6749 §4.1.2.1, §4.2.2.1). */
export function errorResponse(
  target: ResponseTarget,
  error: RedirectableError,
  deps: TargetDependencies,
): ClientResponse | Promise<ClientResponse> {
  return successResponse(target, errorParameters(error), deps);
}

/** The way to the client with an error, which the resource owner can go. */
export function offeredResponse(
  target: ResponseTarget,
  error: RedirectableError,
  { issuer }: Pick<TargetDependencies, 'issuer'>,
): ClientResponse | undefined {
  const all = completed(target, errorParameters(error), issuer);
  return targetKind(target.responseMode).offer(target, all);
}

function errorParameters({ kind, message }: RedirectableError): ResponseParameters {
  const { error } = protocolErrors[kind];
  return { error, error_description: describable(message) };
}

/** Every response has the client's `state` and the issuer (RFC 9207 §2). */
function completed({ state }: Target, parameters: ResponseParameters, issuer: string): ResponseParameters {
  return { ...parameters, ...(state !== undefined && { state }), iss: issuer };
}
