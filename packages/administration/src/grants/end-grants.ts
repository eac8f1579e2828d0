import {
  type EndedGrants,
  type EndOfAccess,
  type EndOfPart,
  OAuthError,
  type TransactionStores,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { type AuditedChange, ofIdentity } from '../changes/audit.ts';
import { type Changed, changeInParts } from '../changes/change-records.ts';
import { ofClient } from '../clients/client-record.ts';
import { ofResourceServer } from '../resource-servers/resource-server-record.ts';
import type {
  GrantAdministration,
  GrantAdministrationDependencies,
  GrantSelection,
  ListedGrant,
} from './grant-administration.ts';
import { endedPart } from './grant-record.ts';
import type { GrantFilter, GrantPosition } from './grant-sources.ts';

// Grants of one transaction: other writers wait for its end.
const batchSize = 500;

/**
 * Ends the access of each resource owner of the list for each client, batch by batch. The list only says whose access ends: what is given by
 * a listed consent at the same time ends too. What a resource owner who is not listed consents to in the meantime is given after the end.
 */
export function grantEnd(
  list: GrantAdministration['list'],
  deps: GrantAdministrationDependencies,
): GrantAdministration['endAll'] {
  return async (caller, { subject, clientId, resourceServerId, since }) => {
    const named = { subject, clientId, resourceServerId };
    if (Object.values(named).every((value) => value === undefined)) throw nothingNamed();
    const selection = { ...named, since };
    const change = changeInParts(caller, deps);
    const total = { grants: 0, consents: 0 };
    await eachBatch(list, caller, selection, async (items) => {
      const ended = await change((stores) => endBatch(items, selection, stores, deps.clock.now()));
      total.grants += ended.grants;
      total.consents += ended.consents;
    });
    return total;
  };
}

/** Runs the work for the listed grants, one batch after the other. */
export async function eachBatch(
  list: GrantAdministration['list'],
  caller: Caller,
  filter: GrantFilter,
  work: (items: readonly ListedGrant[]) => Promise<void>,
): Promise<void> {
  let after: GrantPosition | undefined;
  do {
    const { items, next } = await list(caller, filter, { limit: batchSize, after });
    after = next;
    if (items.length > 0) await work(items);
  } while (after !== undefined);
}

async function endBatch(
  items: readonly ListedGrant[],
  selection: GrantSelection,
  { grants }: TransactionStores,
  now: number,
): Promise<Changed<EndedGrants>> {
  const [parts, whole] = [true, false].map((isPart) =>
    items.filter((item) => (endedPart(item, selection) !== undefined) === isPart),
  );
  const ended = await grants.endAccess(accessOf(whole ?? [], selection), now);
  const endedParts = await grants.endParts(partsOf(parts ?? [], selection), now);
  const value = {
    grants: ended.grants + endedParts.grants,
    consents: ended.consents + endedParts.consents,
  };
  const isChanged = value.grants + value.consents > 0;
  return { value, changes: isChanged ? [endedEvent(items, selection, value)] : [] };
}

function accessOf(items: readonly ListedGrant[], { since }: GrantSelection): EndOfAccess[] {
  return [...Map.groupBy(items, ({ client }) => client.id)].map(([clientRecordId, ofClient]) => ({
    subjects: [...new Set(ofClient.map(({ owner }) => owner.subject))],
    clientRecordId,
    since,
  }));
}

function partsOf(items: readonly ListedGrant[], selection: GrantSelection): EndOfPart[] {
  const byPart = Map.groupBy(items, (item) => String(endedPart(item, selection)));
  return [...byPart.values()].flatMap((of) => {
    const resourceServerIds = (of[0] && endedPart(of[0], selection)) ?? [];
    return accessOf(of, selection).map((access) => ({ ...access, resourceServerIds }));
  });
}

/** One event for a batch. Its record is the record that the caller named; if there are several, the resource owner. */
function endedEvent(
  [first]: readonly ListedGrant[],
  { subject, clientId, since }: GrantSelection,
  ended: EndedGrants,
): AuditedChange {
  if (first === undefined) throw new Error('a batch has at least one grant');
  const before = {
    ...ended,
    ...(clientId !== undefined && { clientId }),
    ...(since !== undefined && { since }),
  };
  return { action: 'revokeGrants', ...namedRecord(first, { subject, clientId }), before };
}

/** The record that the caller named: the resource owner, the client, or the resource server. */
export function namedRecord(
  { client, resourceServer, owner: { identityProvider, name } }: ListedGrant,
  { subject, clientId }: Pick<GrantSelection, 'subject' | 'clientId'>,
) {
  if (subject !== undefined) return ofIdentity({ identityProvider, name });
  return clientId === undefined ? ofResourceServer(resourceServer) : ofClient(client, resourceServer);
}

/** The answer to a request that would end everything. */
export function nothingNamed(): OAuthError {
  return new OAuthError('invalid_request', {
    rule: 'required_parameter',
    description: 'Name a resource owner by subject, a client by clientId, or a resource server by its id.',
  });
}
