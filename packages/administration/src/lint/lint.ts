import {
  type Client,
  type ClientStore,
  isBuiltIn,
  isBuiltInClient,
  isDocumentClient,
  onlyAdministers,
  type ProfileChecks,
  type ProfiledSettings,
  type ProfileFinding,
  quoted,
  type ResourceServer,
  type ResourceServerStore,
  shellCommand,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

/** A record, or the settings of the server, with what a profile forbids in it. */
export interface LintedRecord {
  readonly recordType: 'settings' | 'resourceServer' | 'client';
  readonly id: number | undefined;
  /** The clientId or the key. */
  readonly name: string | undefined;
  /** Its name for people. */
  readonly title: string | undefined;
  /** Record id of the resource server of a client. */
  readonly resourceServerId: number | undefined;
  /** At least one. */
  readonly findings: readonly ProfileFinding[];
}

/** Where a page begins: settings, then resource servers, then clients, each in the order of ids. */
export interface LintPosition {
  readonly type: LintedRecord['recordType'];
  readonly id: number;
}

export interface Lint {
  /**
   * What the profile forbids: for administrators in the settings and all records, for other callers in their own records.
   *
   * @param clientId leaves everything else out
   */
  list(
    caller: Caller,
    checks: ProfileChecks,
    clientId: string | undefined,
    page: PageRequest<LintPosition>,
  ): Promise<Page<LintedRecord, LintPosition>>;
}

export interface LintDependencies {
  readonly clients: Pick<ClientStore, 'find' | 'list'>;
  readonly resourceServers: Pick<ResourceServerStore, 'findById' | 'list'>;
  /** Of this node, or of this command. */
  readonly profiledSettings: ProfiledSettings;
}

type Row =
  | { readonly type: 'settings'; readonly id: 0 }
  | { readonly type: 'resourceServer'; readonly id: number; readonly record: ResourceServer }
  | { readonly type: 'client'; readonly id: number; readonly record: Client };

export function lint(deps: LintDependencies): Lint {
  return {
    async list(caller, checks, clientId, page) {
      if (clientId !== undefined)
        return { items: await ofOneClient(caller, checks, clientId, deps), next: undefined };
      return readPage(page, {
        fetch: (after, limit) => rowsAfter(after, limit, caller, deps),
        positionOf: ({ type, id }) => ({ type, id }),
        pick: (row) => linted(row, checks, deps),
      });
    },
  };
}

async function ofOneClient(
  caller: Caller,
  checks: ProfileChecks,
  clientId: string,
  deps: LintDependencies,
): Promise<LintedRecord[]> {
  const record = await deps.clients.find(clientId);
  const home = record && (await deps.resourceServers.findById(record.resourceServerId));
  if (record === undefined || home === undefined || !owns(caller, home)) return [];
  const found = await linted({ type: 'client', id: record.id, record }, checks, deps);
  return found === undefined ? [] : [found];
}

async function rowsAfter(
  after: LintPosition = { type: 'settings', id: -1 },
  limit: number,
  caller: Caller,
  { clients, resourceServers }: LintDependencies,
): Promise<readonly Row[]> {
  const among = caller.isAdministrator ? {} : { owner: caller.identity };
  const rows: Row[] = [];
  if (after.id < 0 && caller.isAdministrator) rows.push({ type: 'settings', id: 0 });
  if (after.type !== 'client' && rows.length < limit) {
    const from = after.type === 'resourceServer' ? after.id : 0;
    const found = await resourceServers.list({ ...among, after: from, limit: limit - rows.length });
    rows.push(...found.map((record) => ({ type: 'resourceServer' as const, id: record.id, record })));
  }
  if (rows.length < limit) {
    const from = after.type === 'client' ? after.id : 0;
    const found = await clients.list({ ...among, after: from, limit: limit - rows.length });
    rows.push(...found.map((record) => ({ type: 'client' as const, id: record.id, record })));
  }
  return rows;
}

/** `undefined` for a record that the profile permits, and for one that nobody can change: the server itself keeps it in order. */
async function linted(
  row: Row,
  checks: ProfileChecks,
  { resourceServers, profiledSettings }: LintDependencies,
): Promise<LintedRecord | undefined> {
  const nothing = { id: undefined, name: undefined, title: undefined, resourceServerId: undefined };
  if (row.type === 'settings') {
    const findings = checks.ofSettings(profiledSettings);
    return findings.length > 0 ? { ...nothing, recordType: row.type, findings } : undefined;
  }
  const { id } = row;
  if (row.type === 'resourceServer') {
    const { key, name: title } = row.record;
    const findings = isBuiltIn(row.record) ? [] : checks.ofResourceServer(row.record);
    if (findings.length === 0) return undefined;
    const named = findings.map((finding) => mendable(finding, row.record, { resourceServer: key }));
    return { ...nothing, recordType: row.type, id, name: key, title, findings: named };
  }
  if (checks.ofClient(row.record).length === 0) return undefined;
  const { clientId, clientName: title, resourceServerId } = row.record;
  const home = await resourceServers.findById(resourceServerId);
  if (home === undefined || isBuiltInClient(row.record, home) || isDocumentClient(row.record, home))
    return undefined;
  const findings = checks.ofClient(row.record, onlyAdministers(row.record, home));
  if (findings.length === 0) return undefined;
  const named = findings.map((finding) => mendable(finding, row.record, { client: clientId }));
  return { recordType: row.type, id, name: clientId, title, resourceServerId, findings: named };
}

/** With the names in its command; a record that a configuration manages changes with that alone. */
function mendable(
  finding: ProfileFinding,
  { managedBy }: Pick<Client, 'managedBy'>,
  names: Readonly<Record<string, string>>,
): ProfileFinding {
  const { advice, command } = finding;
  if (managedBy === '') return { ...finding, command: command && shellCommand(command, names) };
  const ofFile = `The configuration ${quoted(managedBy)} manages this record: change its file, and apply it.`;
  return { ...finding, command: undefined, advice: `${advice} ${ofFile}` };
}
