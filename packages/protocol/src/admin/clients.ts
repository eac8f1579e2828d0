import { generateSecret, rotatedSecret, storedSecret } from '../clients/machine-secret.ts';
import { type Client, isPublicClient } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import { clientFields } from '../model/fields/client.ts';
import type { ClientQuery } from '../ports/client-store.ts';
import { normalized, Violations } from '../rules/registration.ts';
import { slugCandidates } from '../rules/slug.ts';
import { isSystemClient, keptBySystem, reservedNames } from '../rules/system-records.ts';
import { clientDifference, ofClient } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';
import { type ClientRegistration, checkClient, registrationOf } from './client-rules.ts';
import { resetFields, type TrustField, trustAfter } from './client-trust.ts';
import { checkCondition, type Edit, type EditCondition, type NewRecord, revisionTag } from './edit.ts';
import { checkRecordLimit } from './owner-limits.ts';
import { type ClientAddress, ownClient, ownResourceServer } from './ownership.ts';
import { matcher, type Page, type PageRequest, readPage } from './page.ts';
import { clientRecord } from './records.ts';
import { settableBy } from './settable-fields.ts';

/** A record together with its secret, which is shown this once; a public client has none. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret: string | undefined;
}

/** A record as an update left it. */
export interface ChangedClient {
  readonly client: Client;
  /** Fields that fell back to `false`, for the caller is no administrator and changed what was trusted. */
  readonly reset: readonly TrustField[];
}

export interface ClientFilter {
  /** Part of its name, clientId, description or contact. */
  readonly q?: string | undefined;
}

/**
 * Everything is done on behalf of a caller: what is not the caller's is `not_found`, as if it were not there.
 */
export interface ClientAdministration {
  /** Clients of every resource server that is the caller's. */
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
   * @param secret only for records whose secret is known beforehand, like the demo's
   * @throws OAuthError `not_found` for the resource server; `invalid_request` with every violation; `too_many_records`
   */
  create(
    caller: Caller,
    resourceServerId: number,
    submitted: NewRecord<ClientRegistration>,
    secret?: string,
  ): Promise<ClientWithSecret>;
  /** @throws OAuthError `not_found`, `precondition_failed`, `invalid_request` */
  update(caller: Caller, address: ClientAddress, edit: Edit<ClientRegistration>): Promise<ChangedClient>;
  /**
   * An administrator vouches for the record as it is: it is `trusted`.
   *
   * @throws OAuthError `not_found`, `access_denied`, `precondition_failed`
   */
  confirm(caller: Caller, address: ClientAddress, condition?: EditCondition): Promise<Client>;
  /** All its tokens die. @throws OAuthError `not_found`, `precondition_failed`, `conflict` */
  delete(caller: Caller, address: ClientAddress, condition?: EditCondition): Promise<void>;
  /**
   * The old secret counts for `overlapSeconds` more.
   *
   * @throws OAuthError `not_found`; `invalid_request` for a public client
   */
  rotateSecret(caller: Caller, address: ClientAddress, overlapSeconds: number): Promise<ClientWithSecret>;
  /** Revokes every token issued to the client until now. @throws OAuthError `not_found` */
  revokeTokens(caller: Caller, address: ClientAddress): Promise<void>;
}

export function clientAdministration(deps: AdministrationDependencies): ClientAdministration {
  const { clients, clock, random, scopeSyntax } = deps;

  const search = (
    among: Pick<ClientQuery, 'resourceServerId' | 'owner'>,
    { q }: ClientFilter,
    page: PageRequest<number>,
  ): Promise<Page<Client, number>> => {
    const matches = matcher(q);
    return readPage(page, {
      fetch: (after, limit) => clients.list({ ...among, ...(after !== undefined && { after }), limit }),
      positionOf: ({ id }) => id,
      pick: (client) => {
        const { clientName, clientId, description, contactName, contactEmail } = client;
        return matches(clientName, clientId, description, contactName, contactEmail) ? client : undefined;
      },
    });
  };

  return {
    listAll: (caller, filter, page) =>
      search(caller.isAdministrator ? {} : { owner: caller.identity }, filter, page),

    async list(caller, resourceServerId, filter, page) {
      await ownResourceServer(caller, resourceServerId, deps);
      return search({ resourceServerId }, filter, page);
    },

    find: async (caller, address) => (await ownClient(caller, address, deps)).client,

    create: (caller, resourceServerId, { fields, malformed }, chosenSecret) =>
      changeRecords(caller, deps, async (stores) => {
        const resourceServer = await ownResourceServer(caller, resourceServerId, stores);
        const registration = settableBy(caller, clientFields, normalized(fields), undefined);
        const violations = new Violations(malformed);
        checkClient(registration, { before: undefined, scopeSyntax }, resourceServer, violations);
        violations.throwIfAny();
        await checkRecordLimit(caller, deps, stores);
        const isPublic = registration.allowedImplicitGrant;
        const secret = isPublic ? undefined : (chosenSecret ?? generateSecret(random));
        const client = await stores.clients.create(
          {
            ...registration,
            trusted: caller.isAdministrator,
            resourceServerId,
            secret: secret === undefined ? undefined : storedSecret(secret),
            tokensValidFrom: 0,
          },
          slugCandidates(registration.clientName, 'client', reservedNames),
        );
        if (client === undefined) throw new Error('a resource server that was just read is gone');
        const created = { action: 'create', ...ofClient(client, resourceServer) } as const;
        return { value: { client, secret }, changes: [{ ...created, after: clientRecord(client) }] };
      }),

    update: (caller, address, { apply, malformed, condition }) =>
      changeRecords(caller, deps, async (stores) => {
        const { client: before, resourceServer } = await ownClient(caller, address, stores);
        checkCondition(condition, revisionTag(before));
        const current = registrationOf(before);
        const submitted = settableBy(caller, clientFields, normalized(apply(current)), current);
        const fields = { ...submitted, ...trustAfter(caller, before, submitted) };
        const violations = new Violations(malformed);
        if (isSystemClient(before, resourceServer)) keptBySystem(clientFields, current, fields, violations);
        checkClient(fields, { before: current, scopeSyntax }, resourceServer, violations);
        violations.throwIfAny();
        // A client that becomes public has no secret any more; one that becomes confidential is given one on rotation.
        const change = fields.allowedImplicitGrant ? { ...fields, secret: undefined } : fields;
        const after = await stores.clients.update(before.id, change);
        if (after === undefined) throw new Error('a client that was just read is gone');
        const updated = { action: 'update', ...ofClient(after, resourceServer) } as const;
        return {
          value: { client: after, reset: resetFields(caller, before, after) },
          changes: [{ ...updated, ...clientDifference(before, after) }],
        };
      }),

    confirm: (caller, address, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const { client: before, resourceServer } = await ownClient(caller, address, stores);
        if (!caller.isAdministrator) {
          throw new OAuthError('access_denied', { description: 'Administrators alone confirm a client.' });
        }
        checkCondition(condition, revisionTag(before));
        if (before.trusted) return { value: before, changes: [] };
        const after = await stores.clients.update(before.id, { trusted: true });
        if (after === undefined) throw new Error('a client that was just read is gone');
        const updated = { action: 'update', ...ofClient(after, resourceServer) } as const;
        return { value: after, changes: [{ ...updated, ...clientDifference(before, after) }] };
      }),

    delete: (caller, address, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const { client, resourceServer } = await ownClient(caller, address, stores);
        checkCondition(condition, revisionTag(client));
        if (isSystemClient(client, resourceServer)) {
          throw new OAuthError('conflict', {
            description: 'The administration interface itself depends on this client: it cannot be deleted.',
          });
        }
        await stores.clients.delete(client.id);
        const deleted = { action: 'delete', ...ofClient(client, resourceServer) } as const;
        return { value: undefined, changes: [{ ...deleted, before: clientRecord(client) }] };
      }),

    rotateSecret: (caller, address, overlapSeconds) =>
      changeRecords(caller, deps, async (stores) => {
        const { client, resourceServer } = await ownClient(caller, address, stores);
        if (isPublicClient(client)) {
          throw new OAuthError('invalid_request', {
            description: 'An implicit-grant client is public and has no secret.',
          });
        }
        const secret = generateSecret(random);
        const stored = rotatedSecret(secret, client.secret, clock.now(), overlapSeconds);
        await stores.clients.replaceSecret(client.id, stored);
        const rotated = { action: 'rotateSecret', ...ofClient(client, resourceServer) } as const;
        return {
          value: { client: (await ownClient(caller, address, stores)).client, secret },
          changes: [{ ...rotated, after: { overlap: overlapSeconds } }],
        };
      }),

    revokeTokens: (caller, address) =>
      changeRecords(caller, deps, async (stores) => {
        const { client, resourceServer } = await ownClient(caller, address, stores);
        await stores.clients.revokeTokens(client.id, clock.now());
        return {
          value: undefined,
          changes: [{ action: 'revokeTokens', ...ofClient(client, resourceServer) }],
        };
      }),
  };
}
