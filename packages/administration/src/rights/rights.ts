import {
  type AdministrativeRight,
  type Client,
  type ClientStore,
  endRights,
  isAdministration,
  OAuthError,
  type ResourceServer,
  type RightReader,
  shellCommand,
  type TransactionStores,
  Violations,
} from '@watchword/protocol';
import { type Caller, requireAdministrator, requirePerson } from '../callers/caller.ts';
import { isRight, rights as knownRights, type Right } from '../callers/rights.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { ofClient } from '../clients/client-record.ts';
import { actsForItself } from '../clients/client-registration.ts';

/** A right of a client, with the client. */
export interface ListedRight extends Omit<AdministrativeRight, 'clientRecordId'> {
  readonly client: Client;
}

/**
 * What clients that act for themselves can administer. Only administrators who are people, and tools, see, give and end it.
 *
 * Each method throws OAuthError `access_denied`.
 */
export interface RightAdministration {
  /** In the order of clients and rights. @param clientId only those of this client */
  list(caller: Caller, clientId?: string): Promise<ListedRight[]>;
  /**
   * Gives all or none; one that the client has already stays as it is. No right exceeds what the giver can do.
   *
   * @returns all that the client has
   * @throws OAuthError `not_found`, `invalid_request` with every violation
   */
  give(caller: Caller, clientId: string, names: readonly string[]): Promise<ListedRight[]>;
  /** Ends one right, or all of the client. They hold nowhere from then on. @throws OAuthError `not_found` if there is none */
  end(caller: Caller, clientId: string, name?: string): Promise<void>;
}

type Dependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
> & {
  readonly rights: RightReader;
  readonly clients: Pick<ClientStore, 'find' | 'findById'>;
};

export function rightAdministration(deps: Dependencies): RightAdministration {
  return {
    async list(caller, clientId) {
      requireAccess(caller);
      const client = clientId === undefined ? undefined : await deps.clients.find(clientId);
      if (clientId !== undefined && client === undefined) return [];
      return listed(client?.id, deps);
    },

    async give(caller, clientId, names) {
      requireAccess(caller);
      return changeRecords(caller, deps, async (stores) => {
        const { client, home } = await foundClient(clientId, stores);
        const wanted = [...new Set(names)].toSorted();
        const violations = new Violations();
        checkClient(client, home, violations);
        for (const name of wanted) checkRight(name, caller, client, violations);
        if (wanted.length === 0)
          violations.add('rights', `expected one or more of ${knownRights.join(', ')}`);
        violations.throwIfAny();
        const given = { clientRecordId: client.id, giver: caller.identity, creationDate: deps.clock.now() };
        const changes = [];
        for (const right of wanted) {
          if (!(await stores.rights.give({ ...given, right }))) continue;
          changes.push({ action: 'giveRight', ...ofClient(client, home), after: { right } } as const);
        }
        return { value: await listed(client.id, stores), changes };
      });
    },

    async end(caller, clientId, right) {
      requireAccess(caller);
      await changeRecords(caller, deps, async (stores) => {
        const { client } = await foundClient(clientId, stores);
        const changes = await endRights({ clientRecordId: client.id, right }, stores);
        if (changes.length > 0) return { value: undefined, changes };
        throw new OAuthError('not_found', { description: 'The client does not have this right.' });
      });
    },
  };
}

function requireAccess(caller: Caller): void {
  const what = 'see, give and end the rights of clients';
  requirePerson(caller, what);
  requireAdministrator(caller, what);
}

async function foundClient(
  clientId: string,
  { clients, resourceServers }: Pick<TransactionStores, 'clients' | 'resourceServers'>,
): Promise<{ readonly client: Client; readonly home: ResourceServer }> {
  const client = await clients.find(clientId);
  const home = client && (await resourceServers.findById(client.resourceServerId));
  if (client !== undefined && home !== undefined) return { client, home };
  throw new OAuthError('not_found', { description: 'There is no such client.' });
}

async function listed(
  clientRecordId: number | undefined,
  { rights, clients }: { readonly rights: RightReader; readonly clients: Pick<ClientStore, 'findById'> },
): Promise<ListedRight[]> {
  const found: ListedRight[] = [];
  for (const { clientRecordId: id, ...right } of await rights.list(clientRecordId)) {
    const client = await clients.findById(id);
    if (client !== undefined) found.push({ ...right, client });
  }
  return found;
}

/** Whether the client can use a right at all: with tokens for itself, for the administration interface. */
function checkClient(client: Client, home: ResourceServer, violations: Violations): void {
  if (!isAdministration(home)) {
    violations.add(
      'clientId',
      'is a client of another resource server; a client that administers is a client of authorization-server-admin',
    );
  } else if (!actsForItself(client)) {
    const command = 'watchword client update {clientId} --confidential true --allow-client-credentials';
    const update = shellCommand(command, { clientId: client.clientId });
    violations.add('clientId', `cannot get access tokens for itself; it can after: ${update}`);
  }
}

function checkRight(name: string, { access }: Caller, client: Client, violations: Violations): void {
  if (!isRight(name)) {
    violations.add('rights', `${JSON.stringify(name.slice(0, 40))} is none of ${knownRights.join(', ')}`);
    return;
  }
  for (const scope of scopesOf(name)) {
    if (access !== undefined && !access.scopes.includes(scope)) {
      violations.add('rights', `${name} exceeds your own access token, which lacks the scope ${scope}`);
    }
    if (!client.scopes.includes(scope))
      violations.add(
        'rights',
        `${name} is of no use to a client without the scope ${scope}: give it that first`,
      );
  }
}

/** Those of an access token that can use the right. */
function scopesOf(right: Right): readonly string[] {
  return right.endsWith(':write') ? ['read', 'write'] : ['read'];
}
