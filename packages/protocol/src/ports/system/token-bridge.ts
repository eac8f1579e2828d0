import type { Principal } from '../../model/principal.ts';
import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { Scopes } from '../../model/scope.ts';

/** A token of the server that this one takes over from. */
export interface BridgedToken {
  readonly client: Client;
  /** Those of the token that the client has here. */
  readonly scopes: Scopes;
  readonly principal: Principal;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}

/** Asks another server about tokens that this one does not know. */
export interface TokenBridge {
  /**
   * The token, if it is valid there and its client is one of the caller.
   *
   * @throws OAuthError `temporarily_unavailable` if the other server gives no answer: the token can be good
   */
  find(value: string, caller: ResourceServer): Promise<BridgedToken | undefined>;
}

export interface BridgedLookup {
  /** Absent: no other server is asked about tokens. */
  readonly tokenBridge?: TokenBridge | undefined;
}
