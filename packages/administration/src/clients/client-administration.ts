import type { ChosenSecret, Client, ClientRegistration } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { ClientAddress } from '../callers/ownership.ts';
import type { Edit, EditCondition, NewRecord } from '../changes/edit.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import type { NewSecret } from '../registered/registered-fields.ts';
import type { ClientSecretAdministration } from './client-secrets.ts';
import type { TrustField } from './client-trust.ts';

/** A client with its secret, which is shown only this once; a public client has none. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret: string | undefined;
}

/** A client after an update. */
interface ChangedClient {
  readonly client: Client;
  /** Fields that became `false`, because a caller who is not an administrator changed a confirmed field. */
  readonly reset: readonly TrustField[];
}

export interface ClientFilter {
  /** Part of its name, clientId, description or contact. */
  readonly q?: string | undefined;
}

/**
 * Every method acts for a caller: a record of another owner is `not_found`, as if it did not exist.
 */
export interface ClientAdministration extends ClientSecretAdministration {
  /** Clients of all resource servers of the caller. */
  listAll(caller: Caller, filter: ClientFilter, page: PageRequest<number>): Promise<Page<Client, number>>;
  /** Clients of one resource server. @throws OAuthError `not_found` */
  list(
    caller: Caller,
    resourceServerId: number,
    filter: ClientFilter,
    page: PageRequest<number>,
  ): Promise<Page<Client, number>>;
  /** @throws OAuthError `not_found` */
  find(caller: Caller, address: ClientAddress): Promise<Client>;
  /**
   * @throws OAuthError `not_found` for the resource server; `invalid_request` with every violation; `conflict`
   * when another client has the chosen clientId; `too_many_records`
   */
  create(
    caller: Caller,
    resourceServerId: number,
    submitted: NewRecord<ClientRegistration>,
    options?: ClientCreation,
  ): Promise<ClientWithSecret>;
  /** @throws OAuthError `not_found`, `precondition_failed`, `invalid_request` */
  update(
    caller: Caller,
    address: ClientAddress,
    edit: Edit<ClientRegistration>,
    options?: ClientUpdate,
  ): Promise<ChangedClient>;
  /**
   * An administrator confirms the record in its current state, and it becomes `trusted`.
   *
   * @throws OAuthError `not_found`, `access_denied`, `precondition_failed`
   */
  confirm(caller: Caller, address: ClientAddress, condition?: EditCondition): Promise<Client>;
  /** Deletes it and revokes all its tokens. @throws OAuthError `not_found`, `precondition_failed`, `conflict` */
  delete(caller: Caller, address: ClientAddress, condition?: EditCondition): Promise<void>;
  /**
   * Every secret before it stays valid for at most `overlapSeconds`.
   *
   * @throws OAuthError `not_found`; `invalid_request` for a public client
   */
  rotateSecret(caller: Caller, address: ClientAddress, overlapSeconds: number): Promise<ClientWithSecret>;
  /** Revokes every token issued to the client until now. @throws OAuthError `not_found` */
  revokeTokens(caller: Caller, address: ClientAddress): Promise<void>;
}

interface ClientUpdate {
  /** Only for records of a configuration. */
  readonly secret?: NewSecret | undefined;
}

interface ClientCreation {
  /** Only for records that are imported, and for demo records. */
  readonly secret?: ChosenSecret | undefined;
  /** Only for records that are imported, and for demo records: a clientId of any form, which no other client has. */
  readonly clientId?: string;
  /** The clientId, if the caller chooses it. Default: made from the name. */
  readonly chosen?: string | undefined;
}
