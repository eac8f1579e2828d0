import type { ChosenSecret, Identity, ResourceServer } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { Edit, EditCondition, NewRecord } from '../changes/edit.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import type { NewSecret } from '../registered/registered-fields.ts';
import type { ResourceServerRegistration } from './resource-server-rules.ts';

/** A resource server with its secret, which is shown only this once. */
export interface ResourceServerWithSecret {
  readonly resourceServer: ResourceServer;
  readonly secret: string;
}

/** A resource server after an update. */
interface ChangedResourceServer {
  readonly resourceServer: ResourceServer;
  /** The clientId of each client that is no longer trusted, because a caller who is not an administrator changed its scopes or their descriptions. */
  readonly resetClients: readonly string[];
}

interface ResourceServerFilter {
  /** Part of its name, key, description, contact or owner. */
  readonly q?: string | undefined;
}

/**
 * Every method acts for a caller: a record of another owner is `not_found`, as if it did not exist.
 */
export interface ResourceServerAdministration {
  /** Without the home of clients that belong to no resource server. */
  list(
    caller: Caller,
    filter: ResourceServerFilter,
    page: PageRequest<number>,
  ): Promise<Page<ResourceServer, number>>;
  /** @throws OAuthError `not_found` */
  find(caller: Caller, id: number): Promise<ResourceServer>;
  /**
   * @throws OAuthError `invalid_request` with every violation; `conflict` when the owner has that name, or another record the chosen key;
   * `too_many_records`
   */
  create(
    caller: Caller,
    submitted: NewRecord<ResourceServerRegistration>,
    options?: ResourceServerCreation,
  ): Promise<ResourceServerWithSecret>;
  /**
   * A scope that the resource server loses is also removed from its clients.
   *
   * @throws OAuthError `not_found`, `precondition_failed`, `invalid_request`, `conflict`
   */
  update(
    caller: Caller,
    id: number,
    edit: Edit<ResourceServerRegistration>,
    options?: ResourceServerUpdate,
  ): Promise<ChangedResourceServer>;
  /** Gives it to another owner. @throws OAuthError `not_found`, `conflict` */
  changeOwner(caller: Caller, id: number, owner: Identity): Promise<ResourceServer>;
  /**
   * Deletes it with its clients and revokes all their tokens. @throws OAuthError `not_found`, `precondition_failed`, `conflict`
   */
  delete(caller: Caller, id: number, condition?: EditCondition): Promise<void>;
  /** The old secret stays valid for `overlapSeconds`. @throws OAuthError `not_found` */
  rotateSecret(caller: Caller, id: number, overlapSeconds: number): Promise<ResourceServerWithSecret>;
  /**
   * Revokes every token of every client of it. Clients are changed in batches: after an error, a part of them is. @throws OAuthError `not_found`
   */
  revokeTokens(caller: Caller, id: number): Promise<void>;
}

interface ResourceServerCreation {
  /** Default: the caller. */
  readonly owner?: Identity;
  /** Only for records that are imported, and for demo records. */
  readonly secret?: ChosenSecret;
  /** Only for records that are imported, and for demo records: a key of any form, which no other resource server has. */
  readonly key?: string;
  /** The key, if the caller chooses it. Default: made from the name. */
  readonly chosen?: string | undefined;
}

interface ResourceServerUpdate {
  /** Only for records of a configuration. */
  readonly secret?: NewSecret | undefined;
  /**
   * Whether a change to JWTs is refused while a client cannot get them. `false` only for a caller that changes the clients in the
   * same transaction and then calls `checkJwtClients`. Default: true.
   */
  readonly checksClients?: boolean;
}
