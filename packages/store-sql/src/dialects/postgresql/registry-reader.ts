import type { Selectable } from 'kysely';
import type { RegistryChanges } from '../../hot/hot-work.ts';
import { changedClients, changedResourceServers, changesToRead } from '../../registry-changes.ts';
import type { ClientTable, ResourceServerTable } from '../../schema.ts';
import { withinTime } from '../../within-time.ts';
import { commit, type Session, type SessionPool, type SessionQuery } from './connection/session.ts';
import type { DatabaseClock } from './database-clock.ts';
import { toRecords } from './records.ts';

// A page becomes records before the next one is read, so that rows do not fill the memory.
const pageSize = 2000;

// Milliseconds. A connection that hangs must not keep a node from reading the changes by another one.
const patience = 1000;

/**
 * Reads the changes of registered records: one small query if there are none, one snapshot if there are.
 *
 * @param clock that is corrected by the answers
 */
export function registryReader(
  pool: SessionPool,
  clock: DatabaseClock | undefined,
): (revision: number) => Promise<RegistryChanges | undefined> {
  return async (revision) => {
    const current = await withinTime(readRevision(pool, clock), patience);
    if (changesToRead(revision, current) === undefined) return undefined;
    return pool.use((session) => readChanges(session, revision));
  };
}

/** Corrects the clock of a process that reads no changes. */
export async function readClock(pool: SessionPool, clock: DatabaseClock): Promise<void> {
  await readRevision(pool, clock);
}

function readRevision(pool: SessionPool, clock: DatabaseClock | undefined): Promise<CurrentRevision> {
  return pool.use((session) => {
    const ask = async () => {
      const [found] = await session.pipeline([currentRevision]);
      return revisionOf(found?.rows);
    };
    return clock === undefined ? ask() : clock.timed(ask, ({ time }) => time);
  });
}

async function readChanges(session: Session, revision: number): Promise<RegistryChanges | undefined> {
  const results = await session.pipeline([...session.begin('read only'), currentRevision]);
  const current = revisionOf(results.at(-1)?.rows);
  const changes = changesToRead(revision, current);
  const read = <Row extends { readonly id: number }, Kind>(
    table: string,
    toRecords: (rows: readonly Row[]) => readonly Kind[],
  ) => readPages(session, table, changes?.since ?? revision, toRecords);
  const resourceServers = await read<Selectable<ResourceServerTable>, ChangedResourceServer>(
    'resource_server',
    changedResourceServers,
  );
  const clients = await read<Selectable<ClientTable>, ChangedClient>('client', changedClients);
  await session.pipeline([commit]);
  if (changes === undefined) return undefined;
  return { revision: current.revision, isWhole: changes.isWhole, resourceServers, clients };
}

type ChangedResourceServer = RegistryChanges['resourceServers'][number];
type ChangedClient = RegistryChanges['clients'][number];

async function readPages<Row extends { readonly id: number }, Kind>(
  session: Session,
  table: string,
  since: number,
  toKinds: (rows: readonly Row[]) => readonly Kind[],
): Promise<Kind[]> {
  const found: Kind[] = [];
  let after = -1;
  for (;;) {
    const [page] = await session.pipeline([
      {
        text: `select * from ${table} where revision > $1::bigint and id > $2::bigint order by id limit ${pageSize}`,
        values: [since, after],
      },
    ]);
    const rows = toRecords(page) as unknown as Row[];
    found.push(...toKinds(rows));
    if (rows.length < pageSize) return found;
    after = rows.at(-1)?.id ?? after;
  }
}

const currentRevision: SessionQuery = {
  name: 'registry_revision',
  text: `select revision, purged_revision, 1000 * extract(epoch from clock_timestamp())::float8
    from registry_revision where id = 1`,
  values: [],
};

interface CurrentRevision {
  readonly revision: number;
  readonly purgedRevision: number;
  /** Epoch milliseconds, with a fraction. */
  readonly time: number;
}

function revisionOf(rows: readonly (readonly unknown[])[] = []): CurrentRevision {
  const [revision, purgedRevision, time] = rows[0] ?? [];
  if (typeof revision !== 'number' || typeof purgedRevision !== 'number' || typeof time !== 'number') {
    throw new TypeError('the table registry_revision has no row');
  }
  return { revision, purgedRevision, time };
}
