import { isDocumentClient } from '../../rules/document-client.ts';
import { targetServers } from '../../rules/target-servers.ts';
import { findResponseType, type ResponseTypes } from '../response-types/response-types.ts';
import { findTargetKind, targetAt } from '../targets/response-target.ts';
import type { ResponseTarget, TargetKind } from '../targets/target-kind.ts';
import type { AuthorizationRequest, RequestingClient } from './authorization-request.ts';
import { type ClientDependencies, clientById, describedClient, ifAllowed } from './requesting-client.ts';

/** An authorization request as it travels in a sealed state: as JSON, without what the server knows by itself. */
export interface CarriedRequest
  extends Omit<
    AuthorizationRequest,
    'client' | 'resourceServer' | 'responseType' | 'target' | 'targets' | 'scopes'
  > {
  readonly clientRecordId: number;
  /** Of a client that a document describes: it can have no record yet. */
  readonly clientUrl?: string;
  readonly responseType: string;
  /** The kind of target. */
  readonly responseMode: string;
  /** The address of the target. It has this name in pages of the release before. */
  readonly redirectUri?: string;
  readonly pushed?: ResponseTarget['pushed'];
  readonly scopes?: AuthorizationRequest['scopes'];
}

/**
 * Parts a request from the client's `state`, which JSON would make up to six times as long.
 *
 * @param isBrief leaves out what the request did not name, but the registration of the client
 */
export function carry(
  { client, resourceServer, responseType, target, targets, scopes, ...rest }: AuthorizationRequest,
  isBrief: boolean,
): [carried: CarriedRequest, clientState: string] {
  const { kind, address, state = '', pushed } = target;
  const isKnown = isBrief && !rest.namesRedirectUri && kind.registered(client) === address;
  const carried = {
    ...rest,
    clientRecordId: client.id,
    ...(isDocumentClient(client, resourceServer) && { clientUrl: client.clientId }),
    responseType: responseType.name,
    responseMode: kind.name,
    ...(!isKnown && { redirectUri: address }),
    ...(pushed && { pushed }),
    ...((rest.namesScopes || !isBrief) && { scopes }),
  };
  return [carried, state];
}

export interface CarriedDependencies extends ClientDependencies {
  readonly responseTypes: ResponseTypes;
  /** Kinds of targets that no request names. */
  readonly targetKinds?: readonly TargetKind[];
}

/** The client of the request as it is now. @throws OAuthError for the resource owner, of a client that a document describes */
export function carriedClient(
  { clientRecordId, clientUrl }: CarriedRequest,
  source: string,
  deps: CarriedDependencies,
): RequestingClient | undefined | Promise<RequestingClient | undefined> {
  return clientUrl === undefined
    ? clientById(clientRecordId, deps.registry)
    : describedClient(clientUrl, source, deps);
}

/**
 * The request as it was, completed from the registration of the client as it is now; `undefined` when the client may no
 * longer ask like this.
 */
export function carriedRequest(
  {
    clientRecordId,
    clientUrl,
    responseType: name,
    responseMode,
    redirectUri: named,
    pushed,
    scopes,
    ...rest
  }: CarriedRequest,
  clientState: string,
  current: RequestingClient | undefined,
  { registry, responseTypes, targetKinds }: CarriedDependencies,
): AuthorizationRequest | undefined {
  const responseType = findResponseType(responseTypes, name);
  const kind = findTargetKind(responseMode, targetKinds);
  if (current === undefined || responseType === undefined || kind === undefined) return undefined;
  const address = named ?? kind.registered(current.client);
  if (address === undefined) return undefined;
  const at = targetAt(kind, address, current.client, clientState === '' ? undefined : clientState);
  const target = { ...at, ...(pushed && { pushed }) };
  const asked = scopes ?? current.client.scopes;
  const targets = targetServers(asked, current.resourceServer, registry);
  return ifAllowed({ ...rest, ...current, responseType, target, targets, scopes: asked });
}
