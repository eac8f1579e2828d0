import {
  type Client,
  type ClientRegistration,
  clientFields,
  type ResourceServer,
  remainingScopes,
  type Scopes,
  submittedNames,
  type TransactionStores,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import type { ManagingDependencies } from '../changes/managed.ts';
import { clientDifference, ofClient } from './client-record.ts';
import { changeClientsOfOthers, scopesAfter } from './clients-of-others.ts';

/** The trust in a client. When it ends, all its fields become `false`. */
type Trust = Pick<Client, TrustField>;

export type TrustField = (typeof trustFields)[number];

const trustFields = ['skipConsent', 'trusted', 'keepsUserData'] as const satisfies readonly (keyof Client)[];

/** The fields that an administrator confirms. When another caller changes one of these fields, the trust ends. */
export const confirmedFields: readonly (keyof ClientRegistration)[] = submittedNames(
  clientFields,
  ({ endsTrust }) => endsTrust === true,
);

/** Each decides whether a scope of the resource server differs from the scope that an administrator confirmed. */
const scopeChanges: readonly ((scope: string, after: ResourceServer, before: ResourceServer) => boolean)[] = [
  (scope, after) => !after.scopes.includes(scope),
  (scope, after, before) => descriptionOf(scope, after) !== descriptionOf(scope, before),
];

const noTrust: Trust = { skipConsent: false, trusted: false, keepsUserData: false };

/** A confirmed client needs no exception. */
export const confirmed = { trusted: true, keepsUserData: false } as const satisfies Partial<Trust>;

/** The trust in a client that the caller registers. An administrator confirms it by that. */
export function newTrust({ isAdministrator }: Caller): Omit<Trust, 'skipConsent'> {
  return { trusted: isAdministrator, keepsUserData: false };
}

/** The trust after the caller has changed the client. */
export function trustAfter(
  caller: Caller,
  before: Client,
  submitted: ClientRegistration,
  { configuration }: ManagingDependencies,
): Trust {
  const { trusted, keepsUserData } = before;
  const { skipConsent } = submitted;
  if (caller.isAdministrator) {
    // An administrator who sets skipConsent has checked the client. One who applies a configuration has written all of it.
    const isConfirmed = configuration !== undefined || (skipConsent && !before.skipConsent);
    return isConfirmed ? { ...confirmed, skipConsent } : { skipConsent, trusted, keepsUserData };
  }
  const isKept = confirmedFields.every((field) => isSame(before[field], submitted[field]));
  return isKept ? { skipConsent, trusted, keepsUserData } : noTrust;
}

/** The fields that became `false`, unless the caller is an administrator. */
export function resetFields(caller: Caller, before: Trust, after: Trust): TrustField[] {
  return caller.isAdministrator ? [] : trustFields.filter((field) => before[field] && !after[field]);
}

/** Scopes whose clients are no longer trusted once the caller has changed the resource server. */
function distrustedScopes(caller: Caller, before: ResourceServer, after: ResourceServer): Scopes {
  if (caller.isAdministrator) return [];
  return before.scopes.filter((scope) => scopeChanges.some((hasChanged) => hasChanged(scope, after, before)));
}

function descriptionOf(scope: string, { scopeDescriptions }: ResourceServer): string | undefined {
  return JSON.stringify(scopeDescriptions.find(({ name }) => name === scope));
}

/** Lists of a client are sets: their order has no meaning. */
function isSame(a: unknown, b: unknown): boolean {
  const ordered = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
  return ordered(a) === ordered(b);
}

/** How a change of a resource server has changed its clients. */
interface ChangedClients {
  /** clientIds of the clients that are no longer trusted. */
  readonly resetClients: readonly string[];
  readonly changes: readonly AuditedChange[];
}

/**
 * Removes scopes that a resource server lost from its clients, and from clients of others also those that are not open to them any more.
 * Ends the trust in clients with a changed scope.
 */
export async function followScopes(
  caller: Caller,
  before: ResourceServer,
  after: ResourceServer,
  stores: Pick<TransactionStores, 'clients' | 'resourceServers'>,
): Promise<ChangedClients> {
  const { clients } = stores;
  const lost = before.scopes.filter((scope) => !after.scopes.includes(scope));
  const distrusted = distrustedScopes(caller, before, after);
  const reset = distrusted.length > 0 ? await clients.endTrust(after.id, distrusted) : [];
  const losing = lost.length > 0 ? await clients.loseScopes(after.id, lost) : [];
  const isReset = new Set(reset.map(({ id }) => id));
  const resetOfOthers: string[] = [];
  const changesOfOthers = await changeClientsOfOthers(
    after.id,
    stores,
    (of) => scopesAfter(of, before, after),
    ({ client, entry }) => {
      const isDistrusted = entry.scopes.some((scope) => distrusted.includes(scope));
      if (!isDistrusted || !trustFields.some((field) => client[field])) return {};
      resetOfOthers.push(client.clientId);
      return noTrust;
    },
  );
  // Each in its state before both changes.
  const affected = new Map<number, Client>([...losing, ...reset].map((client) => [client.id, client]));
  return {
    resetClients: [...reset.map(({ clientId }) => clientId), ...resetOfOthers],
    changes: [
      ...[...affected.values()].map((client): AuditedChange => {
        const left = {
          ...client,
          scopes: remainingScopes(client.scopes, after.scopes),
          ...(isReset.has(client.id) && noTrust),
        };
        return { action: 'update', ...ofClient(client, after), ...clientDifference(client, left) };
      }),
      ...changesOfOthers,
    ],
  };
}
