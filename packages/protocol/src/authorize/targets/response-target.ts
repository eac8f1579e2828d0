import { protocolErrors } from '../../model/errors/error-table.ts';
import type { RedirectableError } from '../../model/errors/errors.ts';
import type { Client } from '../../model/records/client.ts';
import { describable } from '../../rules/describable.ts';
import { formPost } from './form-post.ts';
import { fragment, query } from './redirect.ts';
import { type SignedResponseDependencies, signedParameters, signedTargets } from './signed-response.ts';
import type {
  ClientResponse,
  Destination,
  ResponseParameters,
  ResponseTarget,
  TargetKind,
  WayToClient,
} from './target-kind.ts';

/** The kinds of targets that a request can name, by its `response_mode`. A response type says which of them. */
export const targetsOfModes = { query, fragment, form_post: formPost, ...signedTargets };

export type TargetMode = keyof typeof targetsOfModes;

/** A value of `response_mode`. */
export type ResponseMode = TargetMode | 'jwt';

/** The kind of target with a name. @param more kinds that no request names */
export function findTargetKind(name: string, more: readonly TargetKind[] = []): TargetKind | undefined {
  return [...Object.values(targetsOfModes), ...more].find((kind) => kind.name === name);
}

/** The target of a request. @param state of the client */
export function targetAt(kind: TargetKind, address: string, client: Client, state?: string): ResponseTarget {
  const { clientId: audience, authorizationSignedResponseAlg: algorithm } = client;
  return {
    kind,
    address,
    ...(state !== undefined && { state }),
    ...(kind.isSigned && { signature: { audience, algorithm } }),
  };
}

/** What pages say of the target, and what their policy allows. */
export function destinationOf({ kind, address }: Pick<ResponseTarget, 'kind' | 'address'>): Destination {
  return kind.destination(address);
}

/** A successful response (RFC 6749 §4.1.2, §4.2.2). @param parameters without `state` and `iss` */
export function successResponse(
  target: ResponseTarget,
  parameters: ResponseParameters,
  deps: SignedResponseDependencies,
): ClientResponse | Promise<ClientResponse> {
  const { kind, address } = target;
  const sent = completed(target, parameters, deps);
  return sent instanceof Promise
    ? sent.then((signed) => kind.respond(address, signed))
    : kind.respond(address, sent);
}

/** An error response (RFC 6749 §4.1.2.1, §4.2.2.1). */
export function errorResponse(
  target: ResponseTarget,
  error: RedirectableError,
  deps: SignedResponseDependencies,
): ClientResponse | Promise<ClientResponse> {
  return successResponse(target, errorParameters(error), deps);
}

/** The way to the client with an error, which the resource owner can go; `undefined` if there is none. */
export async function offeredResponse(
  target: ResponseTarget,
  error: RedirectableError,
  deps: SignedResponseDependencies,
): Promise<WayToClient | undefined> {
  return target.kind.offer(target.address, await completed(target, errorParameters(error), deps));
}

function errorParameters({ kind, message }: RedirectableError): ResponseParameters {
  const { error } = protocolErrors[kind];
  return { error, error_description: describable(message) };
}

/** Every response has the client's `state` and the issuer (RFC 9207 §2). */
function completed(
  { state, signature }: ResponseTarget,
  parameters: ResponseParameters,
  deps: SignedResponseDependencies,
): ResponseParameters | Promise<ResponseParameters> {
  const all = { ...parameters, ...(state !== undefined && { state }), iss: deps.issuer };
  return signature === undefined ? all : signedParameters(all, signature, deps);
}
