import type { Registry } from '../../ports/registry.ts';
import { findResponseType, type ResponseTypes } from '../response-types/response-types.ts';
import { type ResponseMode, responseTarget, targetKind } from '../targets/response-target.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { clientById, ifAllowed } from './requesting-client.ts';

/** An authorization request as it travels in a sealed state: as JSON, without what the server knows by itself. */
export interface CarriedRequest
  extends Omit<AuthorizationRequest, 'client' | 'resourceServer' | 'responseType' | 'target' | 'scopes'> {
  readonly clientRecordId: number;
  readonly responseType: string;
  readonly responseMode: ResponseMode;
  /** The address of the target. It has this name in pages of the release before. */
  readonly redirectUri?: string;
  readonly scopes?: AuthorizationRequest['scopes'];
}

/**
 * Parts a request from the client's `state`, which JSON would make up to six times as long.
 *
 * @param isBrief leaves out what the request did not name, but the registration of the client
 */
export function carry(
  { client, resourceServer, responseType, target, scopes, ...rest }: AuthorizationRequest,
  isBrief: boolean,
): [carried: CarriedRequest, clientState: string] {
  const { responseMode, address, state = '' } = target;
  const isKnown =
    isBrief && !rest.namesRedirectUri && targetKind(responseMode).registered(client) === address;
  const carried = {
    ...rest,
    clientRecordId: client.id,
    responseType: responseType.name,
    responseMode,
    ...(!isKnown && { redirectUri: address }),
    ...((rest.namesScopes || !isBrief) && { scopes }),
  };
  return [carried, state];
}

/**
 * The request as it was, completed from the registration of the client as it is now; `undefined` when the client may no
 * longer ask like this.
 */
export function carriedRequest(
  { clientRecordId, responseType: name, responseMode, redirectUri: named, scopes, ...rest }: CarriedRequest,
  clientState: string,
  { registry, responseTypes }: { readonly registry: Registry; readonly responseTypes: ResponseTypes },
): AuthorizationRequest | undefined {
  const current = clientById(clientRecordId, registry);
  const responseType = findResponseType(responseTypes, name);
  if (current === undefined || responseType === undefined) return undefined;
  const address = named ?? targetKind(responseMode).registered(current.client);
  if (address === undefined) return undefined;
  const target = responseTarget(responseMode, address, clientState || undefined);
  return ifAllowed({ ...rest, ...current, responseType, target, scopes: scopes ?? current.client.scopes });
}
