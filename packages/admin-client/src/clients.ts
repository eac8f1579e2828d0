import type { Page, PageQuery } from './page.ts';
import type { ChangedClient, Client, ClientFields, ClientStatistics, ClientWithSecret } from './records.ts';
import {
  type CallOptions,
  type ChangeOptions,
  conditional,
  type Requests,
  type Versioned,
} from './requests.ts';
import type { RotationOptions } from './resource-servers.ts';

export interface ClientQuery extends PageQuery {
  /** Part of its name, clientId, description or contact. */
  readonly q?: string | undefined;
}

/** The fields of a merge patch (RFC 7396): in an object, `null` removes a member. */
export type ClientChange = {
  readonly [Name in keyof ClientFields]: ClientFields[Name] extends Readonly<Record<string, string>>
    ? Readonly<Record<string, string | null>>
    : ClientFields[Name];
};

/** A client by its record id, below its resource server. */
export interface ClientAddress {
  readonly resourceServerId: number;
  readonly id: number;
}

/** A client to register. */
export type NewClient = Partial<ClientFields> & {
  /** Its client_id, which never changes. Default: made from the name. */
  readonly clientId?: string | undefined;
};

export interface ClientsClient {
  /** Of every resource server of the caller; of all for an administrator. */
  listAll(query?: ClientQuery, options?: CallOptions): Promise<Page<Client>>;
  /** Of one resource server. */
  list(resourceServerId: number, query?: ClientQuery, options?: CallOptions): Promise<Page<Client>>;
  get(address: ClientAddress, options?: CallOptions): Promise<Versioned<Client>>;
  create(resourceServerId: number, fields: NewClient, options?: CallOptions): Promise<ClientWithSecret>;
  /** Changes the given fields; of attributes the given names, where `null` removes one. */
  update(
    address: ClientAddress,
    fields: Partial<ClientChange>,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedClient>>;
  /** Sets every field. */
  replace(
    address: ClientAddress,
    fields: ClientFields,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedClient>>;
  /** Confirms the record in its present state, so that it becomes `trusted`. For administrators. */
  confirm(address: ClientAddress, options?: ChangeOptions): Promise<Versioned<Client>>;
  /** Deletes it and revokes all its tokens. */
  delete(address: ClientAddress, options?: ChangeOptions): Promise<void>;
  /** Its tokens, resource owners and issued tokens. @param hours past hours of issued tokens: 1 to 744, default 24 */
  statistics(address: ClientAddress, hours?: number, options?: CallOptions): Promise<ClientStatistics>;
  rotateSecret(address: ClientAddress, options?: RotationOptions): Promise<ClientWithSecret>;
  /** Revokes every code, access and refresh token that was issued to it until now. */
  revokeTokens(address: ClientAddress, options?: CallOptions): Promise<void>;
}

export function clientsClient({ endpoint, json, versioned, page, nothing }: Requests): ClientsClient {
  return {
    listAll: async ({ q, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/client', { q, limit, cursor }), options),
    list: async (resourceServerId, { q, limit, cursor } = {}, options) =>
      page(
        endpoint('GET /admin/resourceServer/{resourceServerId}/client', {
          resourceServerId,
          q,
          limit,
          cursor,
        }),
        options,
      ),
    get: async (address, options) =>
      versioned(
        endpoint('GET /admin/resourceServer/{resourceServerId}/client/{id}', { ...address }),
        options,
      ),
    create: async (resourceServerId, fields, options) =>
      json(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client', { resourceServerId, data: fields }),
        options,
      ),
    update: async (address, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/resourceServer/{resourceServerId}/client/{id}', {
          ...address,
          data: fields,
          headers: conditional(options),
        }),
        options,
      ),
    replace: async (address, fields, options = {}) =>
      versioned(
        endpoint('PUT /admin/resourceServer/{resourceServerId}/client/{id}', {
          ...address,
          data: fields,
          headers: conditional(options),
        }),
        options,
      ),
    confirm: async (address, options = {}) =>
      versioned(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client/{id}/confirmation', {
          ...address,
          headers: conditional(options),
        }),
        options,
      ),
    delete: async (address, options = {}) =>
      nothing(
        endpoint('DELETE /admin/resourceServer/{resourceServerId}/client/{id}', {
          ...address,
          headers: conditional(options),
        }),
        options,
      ),
    statistics: async (address, hours, options) =>
      json(
        endpoint('GET /admin/resourceServer/{resourceServerId}/client/{id}/stats', { ...address, hours }),
        options,
      ),
    rotateSecret: async (address, { overlap, ...options } = {}) =>
      json(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client/{id}/secret', { ...address, overlap }),
        options,
      ),
    revokeTokens: async (address, options) =>
      nothing(
        endpoint('POST /admin/resourceServer/{resourceServerId}/client/{id}/revocation', { ...address }),
        options,
      ),
  };
}
