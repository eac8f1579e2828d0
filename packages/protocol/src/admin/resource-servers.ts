import { generateSecret, rotatedSecret } from '../clients/machine-secret.ts';
import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { TransactionStores } from '../ports/transaction.ts';
import { isBuiltIn } from '../rules/built-in-records.ts';
import { ofClient, ofResourceServer, resourceServerDifference } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';
import { checkCondition, type Edit, type EditCondition, type NewRecord, revisionTag } from './edit.ts';
import { ownResourceServer } from './ownership.ts';
import type { Page, PageRequest } from './page.ts';
import { clientRecord, resourceServerRecord } from './records.ts';
import { resourceServerLists } from './resource-server-lists.ts';
import { nameTaken, resourceServerRegistration } from './resource-server-registration.ts';
import type { ResourceServerRegistration } from './resource-server-rules.ts';

/** A resource server with its secret, which is shown only this once. */
export interface ResourceServerWithSecret {
  readonly resourceServer: ResourceServer;
  readonly secret: string;
}

/** A resource server after an update. */
export interface ChangedResourceServer {
  readonly resourceServer: ResourceServer;
  /** The clientId of each client that is no longer trusted, because a caller who is not an administrator changed its scopes. */
  readonly resetClients: readonly string[];
}

export interface ResourceServerFilter {
  /** Part of its name, key, description, contact or owner. */
  readonly q?: string | undefined;
}

/**
 * Every method acts for a caller: a record of another owner is `not_found`, as if it did not exist.
 */
export interface ResourceServerAdministration {
  list(
    caller: Caller,
    filter: ResourceServerFilter,
    page: PageRequest<number>,
  ): Promise<Page<ResourceServer, number>>;
  /** @throws OAuthError `not_found` */
  find(caller: Caller, id: number): Promise<ResourceServer>;
  /**
   * @throws OAuthError `invalid_request` with every violation; `conflict` when the owner has that name;
   * `too_many_records`
   */
  create(
    caller: Caller,
    submitted: NewRecord<ResourceServerRegistration>,
    options?: ResourceServerCreation,
  ): Promise<ResourceServerWithSecret>;
  /**
   * A scope that the resource server loses, its clients lose too.
   *
   * @throws OAuthError `not_found`, `precondition_failed`, `invalid_request`, `conflict`
   */
  update(caller: Caller, id: number, edit: Edit<ResourceServerRegistration>): Promise<ChangedResourceServer>;
  /** Gives it to another owner. @throws OAuthError `not_found`, `conflict` */
  changeOwner(caller: Caller, id: number, owner: Identity): Promise<ResourceServer>;
  /** Deletes it with its clients and revokes all their tokens. @throws OAuthError `not_found`, `precondition_failed`, `conflict` */
  delete(caller: Caller, id: number, condition?: EditCondition): Promise<void>;
  /** The old secret stays valid for `overlapSeconds`. @throws OAuthError `not_found` */
  rotateSecret(caller: Caller, id: number, overlapSeconds: number): Promise<ResourceServerWithSecret>;
}

export interface ResourceServerCreation {
  /** Default: the caller. */
  readonly owner?: Identity;
  /** Only for records whose secret is fixed, like those of the demo. */
  readonly secret?: string;
}

export function resourceServerAdministration(deps: AdministrationDependencies): ResourceServerAdministration {
  const { clock, random } = deps;

  return {
    ...resourceServerLists(deps),
    ...resourceServerRegistration(deps),

    changeOwner: (caller, id, owner) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        if (isBuiltIn(before)) throw builtInConflict('be given to another owner');
        const change = { owner: owner.name, ownerAuthority: owner.identityProvider };
        const after = await stores.resourceServers.update(id, change);
        if (after === undefined) throw nameTaken();
        const difference = resourceServerDifference(before, after);
        return { value: after, changes: [{ action: 'update', ...ofResourceServer(after), ...difference }] };
      }),

    delete: (caller, id, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        checkCondition(condition, revisionTag(before));
        if (isBuiltIn(before)) throw builtInConflict('be deleted');
        const clients = await allClients(id, stores);
        await stores.resourceServers.delete(id);
        const deleted = { action: 'delete', ...ofResourceServer(before) } as const;
        return {
          value: undefined,
          changes: [
            { ...deleted, before: resourceServerRecord(before) },
            ...clients.map((client) => ({
              action: 'delete' as const,
              ...ofClient(client, before),
              before: clientRecord(client),
            })),
          ],
        };
      }),

    rotateSecret: (caller, id, overlapSeconds) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        const secret = generateSecret(random);
        const stored = rotatedSecret(secret, before.secret, clock.now(), overlapSeconds);
        await stores.resourceServers.replaceSecret(id, stored);
        const rotated = { action: 'rotateSecret', ...ofResourceServer(before) } as const;
        return {
          value: { resourceServer: await ownResourceServer(caller, id, stores), secret },
          changes: [{ ...rotated, after: { overlap: overlapSeconds } }],
        };
      }),
  };
}

async function allClients(resourceServerId: number, { clients }: TransactionStores): Promise<Client[]> {
  const limit = 1000;
  const found: Client[] = [];
  for (;;) {
    const after = found.at(-1)?.id ?? 0;
    const page = await clients.list({ resourceServerId, after, limit });
    found.push(...page);
    if (page.length < limit) return found;
  }
}

function builtInConflict(what: string): OAuthError {
  return new OAuthError('conflict', {
    description: `The administration interface itself depends on this record: it cannot ${what}.`,
  });
}
