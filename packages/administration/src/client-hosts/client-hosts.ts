import {
  type Client,
  type DocumentHosts,
  documentHost,
  type HostEffect,
  type HostRule,
  type HostRuleReader,
  hostPattern,
  isDocumentClient,
  isHostAllowed,
  OAuthError,
  openClientsKey,
  type ResourceServer,
  type TransactionStores,
} from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { clientRecord, ofClient } from '../clients/client-record.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

export interface ClientHostDependencies extends AdministrationDependencies {
  readonly hostRules: HostRuleReader;
  readonly documentHosts: DocumentHosts;
  /** The numbers of one client. */
  readonly use: (client: Client, hours: number) => Promise<ClientNumbers>;
}

interface ClientNumbers {
  readonly resourceOwners: number;
  /** Hours since the epoch: the last one in which a token was issued, if one was in the last month. */
  readonly lastHour: number | undefined;
}

/** A client that a document describes, with its use. */
export interface DescribedClientUse extends ClientNumbers {
  readonly client: Client;
  readonly host: string;
  /** New requests of it are accepted. */
  readonly isAllowed: boolean;
}

/** The hosts of clients that documents describe, and these clients. For administrators alone. */
export interface ClientHostAdministration {
  /** @throws OAuthError `access_denied`, as all */
  list(caller: Caller, page: PageRequest<string>): Promise<Page<HostRule, string>>;
  /**
   * Decides about the hosts of a pattern. Those of its clients that are not allowed any more end with all that their users gave them.
   *
   * @throws OAuthError `invalid_request` for a text that is no pattern
   */
  decide(caller: Caller, pattern: string, effect: HostEffect, note: string): Promise<DecidedHosts>;
  /** @throws OAuthError `not_found` if nothing was decided about the pattern */
  remove(caller: Caller, pattern: string): Promise<void>;
  listClients(caller: Caller, page: PageRequest<number>): Promise<Page<DescribedClientUse, number>>;
}

export interface DecidedHosts {
  readonly rule: HostRule;
  /** Clients that have ended. */
  readonly ended: number;
}

const maxRules = 1000;
const monthHours = 720;

export function clientHostAdministration(deps: ClientHostDependencies): ClientHostAdministration {
  const { clients, clock, documentHosts, hostRules, resourceServers, use } = deps;
  return {
    async list(caller, { after = '', limit }) {
      requireAccess(caller);
      const following = (await hostRules.list()).filter(({ pattern }) => pattern > after);
      const items = following.slice(0, limit);
      return { items, next: following.length > limit ? items.at(-1)?.pattern : undefined };
    },

    async decide(caller, text, effect, note) {
      requireAccess(caller);
      const pattern = patternOf(text);
      return changeRecords(caller, deps, async (stores) => {
        const rules = await stores.hostRules.list();
        const before = rules.find((rule) => rule.pattern === pattern);
        if (before === undefined && rules.length >= maxRules) throw tooMany();
        const rule: HostRule = { pattern, effect, note, modificationDate: clock.now() };
        await stores.hostRules.put(rule);
        const decided = [...rules.filter((each) => each !== before), rule];
        const ended = await endUnallowed(stores, documentHosts, decided);
        const change: AuditedChange = {
          ...(before === undefined
            ? { action: 'create', after: stateOf(rule) }
            : { action: 'update', before: stateOf(before), after: stateOf(rule) }),
          ...ofRule(rule, caller),
        };
        return { value: { rule, ended: ended.length }, changes: [change, ...ended] };
      });
    },

    async remove(caller, text) {
      requireAccess(caller);
      const pattern = patternOf(text);
      await changeRecords(caller, deps, async (stores) => {
        const rules = await stores.hostRules.list();
        const before = rules.find((rule) => rule.pattern === pattern);
        if (before === undefined) {
          throw new OAuthError('not_found', {
            description: 'Nothing is decided about this pattern; compare it with the list of hosts.',
          });
        }
        await stores.hostRules.remove(pattern);
        const left = rules.filter((rule) => rule !== before);
        const ended = await endUnallowed(stores, documentHosts, left);
        const change = { action: 'delete', ...ofRule(before, caller), before: stateOf(before) } as const;
        return { value: undefined, changes: [change, ...ended] };
      });
    },

    async listClients(caller, page) {
      requireAccess(caller);
      const home = await resourceServers.find(openClientsKey);
      if (home === undefined) return { items: [], next: undefined };
      const rules = await hostRules.list();
      return readPage(page, {
        fetch: (after, limit) =>
          clients.list({ resourceServerId: home.id, ...(after !== undefined && { after }), limit }),
        positionOf: ({ id }) => id,
        pick: async (client) =>
          isDocumentClient(client, home)
            ? {
                ...(await use(client, monthHours)),
                client,
                host: documentHost(client),
                isAllowed: isAllowed(client, documentHosts, rules),
              }
            : undefined,
      });
    },
  };
}

/** Ends the clients that are not allowed any more: each is deleted with all that its users gave it. */
async function endUnallowed(
  { clients, resourceServers }: TransactionStores,
  hosts: DocumentHosts,
  rules: readonly HostRule[],
): Promise<AuditedChange[]> {
  const home = await resourceServers.find(openClientsKey);
  // Where documents are off, nobody decided about these clients now.
  if (home === undefined || hosts === 'off') return [];
  const changes: AuditedChange[] = [];
  for await (const client of everyClientOf(home, clients)) {
    if (!isDocumentClient(client, home) || isAllowed(client, hosts, rules)) continue;
    await clients.delete(client.id);
    changes.push({ action: 'delete', ...ofClient(client, home), before: clientRecord(client) });
  }
  return changes;
}

async function* everyClientOf({ id }: ResourceServer, { list }: TransactionStores['clients']) {
  const limit = 1000;
  for (let after = 0, isLast = false; !isLast; ) {
    const found = await list({ resourceServerId: id, after, limit });
    yield* found;
    isLast = found.length < limit;
    after = found.at(-1)?.id ?? 0;
  }
}

function isAllowed({ clientId }: Client, hosts: DocumentHosts, rules: readonly HostRule[]): boolean {
  return isHostAllowed(new URL(clientId).hostname, hosts, rules);
}

function patternOf(text: string): string {
  const pattern = hostPattern(text);
  if (pattern !== undefined) return pattern;
  throw new OAuthError('invalid_request', {
    description:
      'The pattern must be a host name such as example.com, or *.example.com for all names below it, without scheme, port and path.',
    rule: 'described_parameter',
  });
}

function stateOf({ effect, note }: HostRule) {
  return { effect, note };
}

function ofRule({ pattern }: HostRule, { identity: owner }: Caller) {
  return { recordType: 'clientHost', recordId: pattern, recordName: pattern, owner } as const;
}

function tooMany(): OAuthError {
  return new OAuthError('conflict', {
    description: `There are ${maxRules} patterns of hosts; remove one first.`,
  });
}

function requireAccess(caller: Caller): void {
  requireAdministrator(caller, 'decide about the hosts of clients');
}
