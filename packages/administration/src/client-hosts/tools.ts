import {
  type Client,
  type ClientStore,
  type DocumentHosts,
  type HostRule,
  type HostRuleReader,
  isDocumentClient,
  isHostAllowed,
  type ListedAccess,
  listedAccess,
  openClientsKey,
  type ResourceServer,
  type TransactionStores,
  vendorOf,
} from '@watchword/protocol';
import { type RegisteredRecords, serversOf } from '../callers/active-token.ts';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, type Changed, changeInParts } from '../changes/change-records.ts';
import { clientRecord, ofClient } from '../clients/client-record.ts';
import { everyRecord, type Page, type PageRequest, searchFor } from '../lists/page.ts';
import type { AccessToClient } from '../statistics/client-use.ts';

export interface ToolDependencies extends AdministrationDependencies {
  readonly hostRules: HostRuleReader;
  readonly documentHosts: DocumentHosts;
  readonly registered: RegisteredRecords;
  readonly accessTo: (clients: readonly Client[]) => Promise<ReadonlyMap<number, AccessToClient>>;
}

/** A client that nobody registered here, with its use. */
export interface ToolUse extends Omit<AccessToClient, 'scopes'> {
  readonly client: Client;
  readonly home: ResourceServer;
  /** See `vendorOf`. */
  readonly vendor: string;
  /** New requests of it are accepted. */
  readonly isAllowed: boolean;
  /** What its users gave it, together. */
  readonly access: ListedAccess;
}

/** Which tools: those of one vendor, `''` for those that registered themselves; all if it is absent. */
export interface ToolSelection {
  readonly vendor?: string | undefined;
}

export interface ToolPosition {
  readonly vendor: string;
  readonly id: number;
}

/** The clients that belong to no resource server. For administrators alone. */
export interface ToolAdministration {
  /** By vendor, those that registered themselves at the end. @throws OAuthError `access_denied`, as all */
  list(
    caller: Caller,
    filter: ToolSelection & { readonly q?: string | undefined },
    page: PageRequest<ToolPosition>,
  ): Promise<Page<ToolUse, ToolPosition>>;
  /**
   * Deletes the selected tools with all that users gave them, part by part. A tool that a document describes comes back with the next
   * consent. Resolves with their number.
   */
  end(caller: Caller, selection: ToolSelection): Promise<number>;
}

// Each is a change of a record, and other writers wait for the end of a transaction.
const endedAtOnce = 100;

export function toolAdministration(deps: ToolDependencies): ToolAdministration {
  const { clients, documentHosts, hostRules, resourceServers, accessTo, registered } = deps;
  return {
    async list(caller, { vendor, q }, { after, limit }) {
      requireAccess(caller);
      const home = await resourceServers.find(openClientsKey);
      if (home === undefined) return { items: [], next: undefined };
      const { matches } = searchFor(q);
      const wanted: Tool[] = [];
      for await (const client of everyTool(home, clients)) {
        const tool = { client, vendor: vendorOf(client, home) ?? '' };
        const isWanted =
          (vendor === undefined || tool.vendor === vendor) &&
          (after === undefined || inOrder(positionOf(tool), after) > 0) &&
          matches(client.clientName, client.clientId);
        if (isWanted) wanted.push(tool);
      }
      const shown = wanted.sort((a, b) => inOrder(positionOf(a), positionOf(b))).slice(0, limit);
      const rules = await hostRules.list();
      const use = await accessTo(shown.map(({ client }) => client));
      const items = await Promise.all(
        shown.map(async (tool) => {
          const { scopes = [], resourceOwners = 0, lastIssued } = use.get(tool.client.id) ?? {};
          const servers = await serversOf(scopes.flat(), home, registered);
          const access = listedAccess(scopes, tool.client, home, servers);
          const isAllowed = isToolAllowed(tool.client, home, documentHosts, rules);
          return { ...tool, home, resourceOwners, lastIssued, access, isAllowed };
        }),
      );
      const last = shown.at(-1);
      return { items, next: last !== undefined && wanted.length > limit ? positionOf(last) : undefined };
    },

    async end(caller, { vendor }) {
      requireAccess(caller);
      const change = changeInParts(caller, deps);
      let total = 0;
      for (let after = 0; ; ) {
        const ended = await change((stores) => endSome(after, vendor, stores));
        total += ended.deleted;
        if (ended.last === undefined) return total;
        after = ended.last;
      }
    },
  };
}

interface Ended {
  readonly deleted: number;
  /** Id of the last client that was looked at; `undefined` at the end. */
  readonly last: number | undefined;
}

/** @param after record id */
async function endSome(
  after: number,
  vendor: string | undefined,
  { clients, resourceServers }: TransactionStores,
): Promise<Changed<Ended>> {
  const home = await resourceServers.find(openClientsKey);
  if (home === undefined) return { value: { deleted: 0, last: undefined }, changes: [] };
  const found = await clients.list({ resourceServerId: home.id, after, limit: endedAtOnce });
  const changes: AuditedChange[] = [];
  for (const client of found) {
    if (vendor !== undefined && vendorOf(client, home) !== vendor) continue;
    await clients.delete(client.id);
    changes.push({ action: 'delete', ...ofClient(client, home), before: clientRecord(client) });
  }
  return { value: { deleted: changes.length, last: found.at(-1)?.id }, changes };
}

type Tool = Pick<ToolUse, 'client' | 'vendor'>;

function positionOf({ client, vendor }: Tool): ToolPosition {
  return { vendor, id: client.id };
}

function inOrder(a: ToolPosition, b: ToolPosition): number {
  if (a.vendor === b.vendor) return a.id - b.id;
  if (a.vendor === '') return 1;
  return b.vendor === '' || a.vendor < b.vendor ? -1 : 1;
}

/** @param home the resource server of all of them */
export function everyTool(
  { id: resourceServerId }: ResourceServer,
  clients: Pick<ClientStore, 'list'>,
): AsyncGenerator<Client, void> {
  return everyRecord((page) => clients.list({ ...page, resourceServerId }));
}

/** Whether new requests of the tool are accepted: hosts are decided about for those that a document describes. */
export function isToolAllowed(
  client: Client,
  home: ResourceServer,
  hosts: DocumentHosts,
  rules: readonly HostRule[],
): boolean {
  return !isDocumentClient(client, home) || isHostAllowed(new URL(client.clientId).hostname, hosts, rules);
}

function requireAccess(caller: Caller): void {
  requireAdministrator(caller, 'see and end tools that nobody registered');
}
