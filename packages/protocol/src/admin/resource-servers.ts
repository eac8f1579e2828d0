import { generateSecret, rotatedSecret, storedSecret } from '../clients/machine-secret.ts';
import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import { defaultsOf, type SubmittedFields, submittedOf } from '../model/fields/field.ts';
import { resourceServerFields } from '../model/fields/resource-server.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { TransactionStores } from '../ports/transaction.ts';
import { checkFields, normalized, Violations } from '../rules/registration.ts';
import { slugCandidates } from '../rules/slug.ts';
import { isSystemRecord, keptBySystem, reservedNames } from '../rules/system-records.ts';
import { type AuditedChange, ofClient, ofResourceServer, resourceServerDifference } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';
import { followScopes } from './clients-of-scopes.ts';
import { checkCondition, type Edit, type EditCondition, type NewRecord, revisionTag } from './edit.ts';
import { checkRecordLimit } from './owner-limits.ts';
import { ownResourceServer } from './ownership.ts';
import { matcher, type Page, type PageRequest, readPage } from './page.ts';
import { clientRecord, resourceServerRecord } from './records.ts';
import { settableBy } from './settable-fields.ts';

/** The fields of a resource server that a request sets. */
export interface ResourceServerRegistration extends SubmittedFields<typeof resourceServerFields> {}

/** A registration that names no field. */
export const resourceServerDefaults: ResourceServerRegistration = defaultsOf(resourceServerFields);

/** A record together with its secret, which is shown this once. */
export interface ResourceServerWithSecret {
  readonly resourceServer: ResourceServer;
  readonly secret: string;
}

/** A record as an update left it. */
export interface ChangedResourceServer {
  readonly resourceServer: ResourceServer;
  /** clientIds of its clients that are no longer trusted, for the caller is no administrator and changed a scope of theirs. */
  readonly resetClients: readonly string[];
}

export interface ResourceServerFilter {
  /** Part of its name, key, description, contact or owner. */
  readonly q?: string | undefined;
}

/**
 * Everything is done on behalf of a caller: what is not the caller's is `not_found`, as if it were not there.
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
   * Of scopes that it loses, its clients lose theirs.
   *
   * @throws OAuthError `not_found`, `precondition_failed`, `invalid_request`, `conflict`
   */
  update(caller: Caller, id: number, edit: Edit<ResourceServerRegistration>): Promise<ChangedResourceServer>;
  /** Gives it to somebody else. @throws OAuthError `not_found`, `conflict` */
  changeOwner(caller: Caller, id: number, owner: Identity): Promise<ResourceServer>;
  /** Deletes it with its clients; all their tokens die. @throws OAuthError `not_found`, `precondition_failed`, `conflict` */
  delete(caller: Caller, id: number, condition?: EditCondition): Promise<void>;
  /** The old secret counts for `overlapSeconds` more. @throws OAuthError `not_found` */
  rotateSecret(caller: Caller, id: number, overlapSeconds: number): Promise<ResourceServerWithSecret>;
}

export interface ResourceServerCreation {
  /** Whose it is; default: the caller's. */
  readonly owner?: Identity;
  /** Only for records whose secret is known beforehand, like the demo's. */
  readonly secret?: string;
}

export function resourceServerAdministration(deps: AdministrationDependencies): ResourceServerAdministration {
  const { clock, random, scopeSyntax } = deps;

  return {
    list(caller, { q }, page) {
      const matches = matcher(q);
      return readPage(page, {
        fetch: (after, limit) =>
          deps.resourceServers.list({
            ...(!caller.isAdministrator && { owner: caller.identity }),
            ...(after !== undefined && { after }),
            limit,
          }),
        positionOf: ({ id }) => id,
        pick: (server) => {
          const { name, key, description, contactName, contactEmail, owner } = server;
          return matches(name, key, description, contactName, contactEmail, owner) ? server : undefined;
        },
      });
    },

    find: (caller, id) => ownResourceServer(caller, id, deps),

    async create(
      caller,
      { fields, malformed },
      { owner = caller.identity, secret = generateSecret(random) } = {},
    ) {
      const registration = settableBy(caller, resourceServerFields, normalized(fields), undefined);
      const violations = new Violations(malformed);
      checkFields(resourceServerFields, registration, { before: undefined, scopeSyntax }, violations);
      violations.throwIfAny();
      return changeRecords(caller, deps, async (stores) => {
        await checkRecordLimit(caller, deps, stores);
        const resourceServer = await stores.resourceServers.create(
          {
            ...registration,
            owner: owner.name,
            ownerAuthority: owner.authority,
            secret: storedSecret(secret),
          },
          slugCandidates(registration.name, 'resource-server', reservedNames),
        );
        if (resourceServer === undefined) throw nameTaken();
        const after = resourceServerRecord(resourceServer);
        return {
          value: { resourceServer, secret },
          changes: [{ action: 'create', ...ofResourceServer(resourceServer), after }],
        };
      });
    },

    update: (caller, id, { apply, malformed, condition }) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        checkCondition(condition, revisionTag(before));
        const current = submittedOf(resourceServerFields, before);
        const fields = settableBy(caller, resourceServerFields, normalized(apply(current)), current);
        const violations = new Violations(malformed);
        if (isSystemRecord(before)) keptBySystem(resourceServerFields, current, fields, violations);
        checkFields(resourceServerFields, fields, { before: current, scopeSyntax }, violations);
        violations.throwIfAny();
        const after = await stores.resourceServers.update(id, fields);
        if (after === undefined) throw nameTaken();
        const followed = await followScopes(caller, before, after, stores.clients);
        const changes: AuditedChange[] = [
          { action: 'update', ...ofResourceServer(after), ...resourceServerDifference(before, after) },
          ...followed.changes,
        ];
        return { value: { resourceServer: after, resetClients: followed.resetClients }, changes };
      }),

    changeOwner: (caller, id, owner) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        if (isSystemRecord(before)) throw systemConflict('be given to somebody else');
        const change = { owner: owner.name, ownerAuthority: owner.authority };
        const after = await stores.resourceServers.update(id, change);
        if (after === undefined) throw nameTaken();
        const difference = resourceServerDifference(before, after);
        return { value: after, changes: [{ action: 'update', ...ofResourceServer(after), ...difference }] };
      }),

    delete: (caller, id, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        checkCondition(condition, revisionTag(before));
        if (isSystemRecord(before)) throw systemConflict('be deleted');
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

function nameTaken(): OAuthError {
  return new OAuthError('conflict', {
    description: 'The owner has a resource server of this name already; choose another name.',
  });
}

function systemConflict(what: string): OAuthError {
  return new OAuthError('conflict', {
    description: `The administration interface itself depends on this record: it cannot ${what}.`,
  });
}
