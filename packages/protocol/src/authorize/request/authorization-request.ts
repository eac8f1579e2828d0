import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { Scopes } from '../../model/scope.ts';
import type { OpenidRequest } from '../../openid/openid-request.ts';
import type { TargetServer } from '../../rules/target-servers.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import type { ResponseTarget } from '../targets/target-kind.ts';
import type { RequestHints } from './hints.ts';
import type { Prompt } from './prompt.ts';

/** A valid authorization request (RFC 6749 §4.1.1, §4.2.1). */
export interface AuthorizationRequest extends RequestingClient, RequestHints {
  readonly responseType: ResponseType;
  /** What the response type read for itself. */
  readonly extra: object;
  readonly target: ResponseTarget;
  /** Whether the request named the redirect URI; then the token request must too (RFC 6749 §4.1.3). */
  readonly namesRedirectUri: boolean;
  readonly scopes: Scopes;
  /** The resource servers that the scopes are for, as they are registered now. */
  readonly targets: readonly TargetServer[];
  /** Whether the request named the scopes, or resources; else they are all scopes of the client at its own resource server. */
  readonly namesScopes: boolean;
  readonly prompt: readonly Prompt[];
  /** Seconds. */
  readonly maxAge?: number;
  /** Absent if the client does not request `openid`. */
  readonly openid?: OpenidRequest;
}

/** The client that asks and its resource server, as they are registered when the browser's request arrives. */
export interface RequestingClient {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
}
