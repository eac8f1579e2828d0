import { protocolErrors } from '../../model/errors/error-table.ts';
import type { RedirectableError } from '../../model/errors/errors.ts';
import { describable } from '../../rules/describable.ts';
import { formPost } from './form-post.ts';
import { fragment, query } from './redirect.ts';
import type {
  ClientResponse,
  Destination,
  ResponseParameters,
  ResponseTarget,
  TargetKind,
  WayToClient,
} from './target-kind.ts';

/** The kinds of targets that a request can name, by its `response_mode`. A response type says which of them. */
export const targetsOfModes = { query, fragment, form_post: formPost };

export type ResponseMode = keyof typeof targetsOfModes;

/** The kind of target with a name. @param more kinds that no request names */
export function findTargetKind(name: string, more: readonly TargetKind[] = []): TargetKind | undefined {
  return [...Object.values(targetsOfModes), ...more].find((kind) => kind.name === name);
}

/** What pages say of the target, and what their policy allows. */
export function destinationOf({ kind, address }: Pick<ResponseTarget, 'kind' | 'address'>): Destination {
  return kind.destination(address);
}

/** A successful response (RFC 6749 §4.1.2, §4.2.2). @param parameters without `state` and `iss` */
export function successResponse(
  target: ResponseTarget,
  parameters: ResponseParameters,
  issuer: string,
): ClientResponse | Promise<ClientResponse> {
  return target.kind.respond(target.address, completed(target, parameters, issuer));
}

/** An error response (RFC 6749 §4.1.2.1, §4.2.2.1). @param issuer the base URL */
export function errorResponse(
  target: ResponseTarget,
  error: RedirectableError,
  issuer: string,
): ClientResponse | Promise<ClientResponse> {
  return successResponse(target, errorParameters(error), issuer);
}

/** The way to the client with an error, which the resource owner can go; `undefined` if there is none. @param issuer the base URL */
export function offeredResponse(
  target: ResponseTarget,
  error: RedirectableError,
  issuer: string,
): WayToClient | undefined {
  return target.kind.offer(target.address, completed(target, errorParameters(error), issuer));
}

function errorParameters({ kind, message }: RedirectableError): ResponseParameters {
  const { error } = protocolErrors[kind];
  return { error, error_description: describable(message) };
}

/** Every response has the client's `state` and the issuer (RFC 9207 §2). */
function completed(
  { state }: ResponseTarget,
  parameters: ResponseParameters,
  issuer: string,
): ResponseParameters {
  return { ...parameters, ...(state !== undefined && { state }), iss: issuer };
}
