import type { Page, PageQuery } from './page.ts';
import type {
  ChangedResourceServer,
  DescribedResourceServer,
  ResourceServer,
  ResourceServerFields,
  ResourceServerWithSecret,
  SubmittedScope,
} from './records.ts';
import {
  type CallOptions,
  type ChangeOptions,
  conditional,
  type Requests,
  type Versioned,
} from './requests.ts';

export interface ResourceServerQuery extends PageQuery {
  /** Part of its name, key, description, contact or owner. */
  readonly q?: string | undefined;
}

/** The fields that a request sets. A scope that is named alone keeps its description; an object replaces it. */
export interface SubmittedResourceServer extends Omit<ResourceServerFields, 'scopes'> {
  readonly scopes: readonly (string | SubmittedScope)[];
}

/** A resource server to register. */
export type NewResourceServer = Partial<SubmittedResourceServer> & {
  /** Its key, which never changes. Default: made from the name. */
  readonly key?: string | undefined;
};

export interface ResourceServersClient {
  list(query?: ResourceServerQuery, options?: CallOptions): Promise<Page<ResourceServer>>;
  get(id: number, options?: CallOptions): Promise<Versioned<ResourceServer>>;
  /** With the descriptions of its scopes. */
  getDescribed(id: number, options?: CallOptions): Promise<Versioned<DescribedResourceServer>>;
  create(fields: NewResourceServer, options?: CallOptions): Promise<ResourceServerWithSecret>;
  /** Changes the given fields. Its clients lose the scopes that it loses. */
  update(
    id: number,
    fields: Partial<SubmittedResourceServer>,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedResourceServer>>;
  /** Sets every field. */
  replace(
    id: number,
    fields: SubmittedResourceServer,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedResourceServer>>;
  /** Sets every field, and returns the descriptions of its scopes too. */
  replaceDescribed(
    id: number,
    fields: SubmittedResourceServer,
    options?: ChangeOptions,
  ): Promise<Versioned<DescribedResourceServer>>;
  /** Deletes it with its clients and revokes all their tokens. */
  delete(id: number, options?: ChangeOptions): Promise<void>;
  rotateSecret(id: number, options?: RotationOptions): Promise<ResourceServerWithSecret>;
  /** Revokes every token that was issued to its clients until now. */
  revokeTokens(id: number, options?: CallOptions): Promise<void>;
}

export interface RotationOptions extends CallOptions {
  /** Seconds for which the old secret stays valid. */
  readonly overlap?: number;
}

export function resourceServersClient({
  endpoint,
  json,
  versioned,
  page,
  nothing,
}: Requests): ResourceServersClient {
  return {
    list: async ({ q, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/resourceServer', { q, limit, cursor }), options),
    get: async (id, options) => versioned(endpoint('GET /admin/resourceServer/{id}', { id }), options),
    getDescribed: async (id, options) =>
      versioned(endpoint('GET /admin/resourceServer/{id}', { id, scopes: 'described' }), options),
    create: async (fields, options) =>
      json(endpoint('POST /admin/resourceServer', { data: fields }), options),
    update: async (id, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/resourceServer/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    replace: async (id, fields, options = {}) =>
      versioned(
        endpoint('PUT /admin/resourceServer/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    replaceDescribed: async (id, fields, options = {}) =>
      versioned(
        endpoint('PUT /admin/resourceServer/{id}{?scopes}', {
          id,
          scopes: 'described',
          data: fields,
          headers: conditional(options),
        }),
        options,
      ),
    delete: async (id, options = {}) =>
      nothing(endpoint('DELETE /admin/resourceServer/{id}', { id, headers: conditional(options) }), options),
    rotateSecret: async (id, { overlap, ...options } = {}) =>
      json(endpoint('POST /admin/resourceServer/{id}/secret', { id, overlap }), options),
    revokeTokens: async (id, options) =>
      nothing(endpoint('POST /admin/resourceServer/{id}/revocation', { id }), options),
  };
}
