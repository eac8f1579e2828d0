import {
  type DocumentHosts,
  type HostEffect,
  type HostRule,
  type HostRuleReader,
  hostPattern,
  OAuthError,
  openClientsKey,
  type TransactionStores,
} from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { clientRecord, ofClient } from '../clients/client-record.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { everyTool, isToolAllowed } from './tools.ts';

export interface ClientHostDependencies extends AdministrationDependencies {
  readonly hostRules: HostRuleReader;
  readonly documentHosts: DocumentHosts;
}

/** The hosts of clients that documents describe. For administrators alone. */
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
}

export interface DecidedHosts {
  readonly rule: HostRule;
  /** Clients that have ended. */
  readonly ended: number;
}

const maxRules = 1000;

export function clientHostAdministration(deps: ClientHostDependencies): ClientHostAdministration {
  const { clock, documentHosts, hostRules } = deps;
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
  for await (const client of everyTool(home, clients)) {
    if (isToolAllowed(client, home, hosts, rules)) continue;
    await clients.delete(client.id);
    changes.push({ action: 'delete', ...ofClient(client, home), before: clientRecord(client) });
  }
  return changes;
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
