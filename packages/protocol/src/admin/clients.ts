import { generateSecret, rotatedSecret } from '../clients/machine-secret.ts';
import { type Client, isPublicClient } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import { isBuiltInClient } from '../rules/built-in-records.ts';
import { clientDifference, ofClient } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';
import { clientLists } from './client-lists.ts';
import { clientRegistration } from './client-registration.ts';
import type { ClientRegistration } from './client-rules.ts';
import type { TrustField } from './client-trust.ts';
import { checkCondition, type Edit, type EditCondition, type NewRecord, revisionTag } from './edit.ts';
import { type ClientAddress, ownClient } from './ownership.ts';
import type { Page, PageRequest } from './page.ts';
import { clientRecord } from './records.ts';

/** A client with its secret, which is shown only this once; a public client has none. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret: string | undefined;
}

/** A client after an update. */
export interface ChangedClient {
  readonly client: Client;
  /** Fields that fell back to `false`, because a caller who is not an administrator changed what was trusted. */
  readonly reset: readonly TrustField[];
}

export interface ClientFilter {
  /** Part of its name, clientId, description or contact. */
  readonly q?: string | undefined;
}

/**
 * Every method acts for a caller: a record of another owner is `not_found`, as if it did not exist.
 */
export interface ClientAdministration {
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
   * @param secret only for records whose secret is fixed, like those of the demo
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
   * An administrator vouches for the record in its present state: it becomes `trusted`.
   *
   * @throws OAuthError `not_found`, `access_denied`, `precondition_failed`
   */
  confirm(caller: Caller, address: ClientAddress, condition?: EditCondition): Promise<Client>;
  /** Deletes it and revokes all its tokens. @throws OAuthError `not_found`, `precondition_failed`, `conflict` */
  delete(caller: Caller, address: ClientAddress, condition?: EditCondition): Promise<void>;
  /**
   * The old secret stays valid for `overlapSeconds`.
   *
   * @throws OAuthError `not_found`; `invalid_request` for a public client
   */
  rotateSecret(caller: Caller, address: ClientAddress, overlapSeconds: number): Promise<ClientWithSecret>;
  /** Revokes every token issued to the client until now. @throws OAuthError `not_found` */
  revokeTokens(caller: Caller, address: ClientAddress): Promise<void>;
}

export function clientAdministration(deps: AdministrationDependencies): ClientAdministration {
  const { clock, random } = deps;

  return {
    ...clientLists(deps),
    ...clientRegistration(deps),

    confirm: (caller, address, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const { client: before, resourceServer } = await ownClient(caller, address, stores);
        if (!caller.isAdministrator) {
          throw new OAuthError('access_denied', { description: 'Administrators alone confirm a client.' });
        }
        checkCondition(condition, revisionTag(before));
        if (before.trusted) return { value: before, changes: [] };
        const after = await stores.clients.update(before.id, { trusted: true });
        if (after === undefined) throw new Error('a client that was just read does not exist');
        const updated = { action: 'update', ...ofClient(after, resourceServer) } as const;
        return { value: after, changes: [{ ...updated, ...clientDifference(before, after) }] };
      }),

    delete: (caller, address, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const { client, resourceServer } = await ownClient(caller, address, stores);
        checkCondition(condition, revisionTag(client));
        if (isBuiltInClient(client, resourceServer)) {
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
        checkConfidential(client);
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

function checkConfidential(client: Client): void {
  if (!isPublicClient(client)) return;
  throw new OAuthError('invalid_request', {
    description: 'A public client has no secret; to give it one, set confidential to true first.',
  });
}
