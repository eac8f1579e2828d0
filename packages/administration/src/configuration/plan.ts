import {
  type AuditEvent,
  clientFields,
  defaultOf,
  type FieldTable,
  type RecordState,
  resourceServerFields,
} from '@watchword/protocol';
import type { Configuration } from './document.ts';
import type { KnownServers } from './resource-servers.ts';

/** What an application has changed, or would change. */
export interface ConfigurationPlan {
  readonly name: string;
  readonly changes: readonly PlannedChange[];
  /** Records of the document that are as it says. */
  readonly unchanged: number;
}

export interface PlannedChange {
  readonly recordType: 'resourceServer' | 'client';
  /** The key, or the clientId. */
  readonly name: string;
  /** `follow`: a record that is not in the document changes with one that is, such as a client that loses a scope. */
  readonly action: 'create' | 'change' | 'takeOver' | 'delete' | 'letGo' | 'follow';
  readonly fields: readonly FieldChange[];
}

/** Of a secret neither value is there. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const tables: Readonly<Record<PlannedChange['recordType'], FieldTable>> = {
  resourceServer: resourceServerFields,
  client: clientFields,
};

/** Said by the action, or made by the server. */
const unsaid: ReadonlySet<string> = new Set([
  'id',
  'key',
  'clientId',
  'managedBy',
  'resourceserver_id',
  'overlap',
]);

/** The changes, made from what was audited: several events of a record are one change. */
export function planOf(
  { name, resourceServers, clients }: Configuration,
  events: readonly AuditEvent[],
  known: KnownServers,
): ConfigurationPlan {
  const documented = new Set([
    ...resourceServers.map(({ key }) => `resourceServer ${key}`),
    ...clients.map(({ clientId }) => `client ${clientId}`),
  ]);
  const keys = new Map([...known.values()].map(({ server }) => [server.id, server.key]));
  const changes = [...byRecord(events)].map(([record, ofRecord]) =>
    changeOf(ofRecord, documented.has(record), keys),
  );
  const own = changes.filter((change) => documented.has(`${change.recordType} ${change.name}`)).length;
  return { name, changes, unchanged: documented.size - own };
}

function byRecord(events: readonly AuditEvent[]): Map<string, AuditEvent[]> {
  const records = new Map<string, AuditEvent[]>();
  for (const event of events) {
    const record = `${event.recordType} ${event.recordName}`;
    const known = records.get(record);
    if (known === undefined) records.set(record, [event]);
    else known.push(event);
  }
  return records;
}

type Keys = ReadonlyMap<number, string>;

function changeOf(events: readonly AuditEvent[], isDocumented: boolean, keys: Keys): PlannedChange {
  const [first] = events;
  if (first === undefined) throw new Error('a record without events has not changed');
  const recordType = first.recordType as PlannedChange['recordType'];
  const isOne = events.length === 1;
  const before: RecordState = isOne
    ? (first.before ?? {})
    : Object.assign({}, ...events.toReversed().map((event) => event.before ?? {}));
  const after: RecordState = isOne
    ? (first.after ?? {})
    : Object.assign({}, ...events.map((event) => event.after ?? {}));
  const action = actionOf(events, before, after, isDocumented);
  const isReplaced = events.some((event) => event.action === 'rotateSecret');
  const names = action === 'delete' ? [] : Object.keys(after).filter((name) => !unsaid.has(name));
  const table = tables[recordType];
  const fields = names
    .filter((name) =>
      action === 'create' ? isSet(after[name], table[name]) : !isSame(before[name], after[name]),
    )
    .map((field) => ({
      field,
      ...(action !== 'create' && { before: withKeys(field, before[field], keys) }),
      after: withKeys(field, after[field], keys),
    }));
  return {
    recordType,
    name: first.recordName,
    action,
    fields: isReplaced ? [...fields, { field: 'secret' }] : fields,
  };
}

function actionOf(
  events: readonly AuditEvent[],
  before: RecordState,
  after: RecordState,
  isDocumented: boolean,
): PlannedChange['action'] {
  if (events.some(({ action }) => action === 'create')) return 'create';
  if (events.some(({ action }) => action === 'delete')) return 'delete';
  if (after.managedBy === '') return 'letGo';
  if (before.managedBy === '' && after.managedBy !== undefined) return 'takeOver';
  return isDocumented ? 'change' : 'follow';
}

function isSet(value: unknown, field: FieldTable[string] | undefined): boolean {
  return value !== undefined && (field === undefined || !isSame(value, defaultOf(field)));
}

/** Most values are no objects, or empty lists, and then need no text. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  const areEmpty = Array.isArray(one) && Array.isArray(other) && one.length + other.length === 0;
  return areEmpty || JSON.stringify(one) === JSON.stringify(other);
}

/** People know resource servers by their keys. */
function withKeys(field: string, value: unknown, keys: Keys): unknown {
  if (field !== 'otherResourceServers' || !Array.isArray(value)) return value;
  return value.map(({ resourceServerId, scopes }) => ({
    key: keys.get(resourceServerId) ?? String(resourceServerId),
    scopes,
  }));
}
