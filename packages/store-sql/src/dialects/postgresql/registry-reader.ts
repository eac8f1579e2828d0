import type { Selectable } from 'kysely';
import { clientRowColumns } from '../../hot/client-row.ts';
import type { DatabaseValue } from '../../hot/columns.ts';
import type { RegistryChanges } from '../../hot/hot-work.ts';
import {
  changedClients,
  changedResourceServers,
  changesToRead,
  noRevision,
} from '../../records/registry-changes.ts';
import type { ResourceServerTable } from '../../schema/schema.ts';
import { withinTime } from '../../work/waiting.ts';
import {
  commit,
  type Session,
  type SessionPool,
  type SessionQuery,
  type SessionResult,
} from './connection/session.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Engine } from './distributed/engine.ts';
import { toRecords } from './records.ts';

// A page becomes records before the next one is read, so that rows do not fill the memory.
const pageSize = 2000;

// Milliseconds. A connection that hangs must not keep a node from reading the changes by another one.
const patience = 1000;

/**
 * Reads the changes of registered records: one small query if there are none, one snapshot if there are. From a server that was started
 * since, it reads all of them: after a failover that lost changes, the same revisions can be those of other changes.
 *
 * @param clock that is corrected by the answers
 */
export function registryReader(
  pool: SessionPool,
  engine: Engine,
  clock: DatabaseClock | undefined,
): (revision: number) => Promise<RegistryChanges | undefined> {
  let server: number | undefined;
  return async (revision) => {
    const current = await withinTime(readRevision(pool, engine, clock), patience);
    const known = current.server === server ? revision : noRevision;
    if (changesToRead(known, current) === undefined) return undefined;
    const changes = await pool.use((session) => readChanges(session, engine, known));
    server = current.server;
    return changes;
  };
}

/** Corrects the clock of a process that reads no changes. */
export async function readClock(pool: SessionPool, engine: Engine, clock: DatabaseClock): Promise<void> {
  await readRevision(pool, engine, clock);
}

function readRevision(
  pool: SessionPool,
  engine: Engine,
  clock: DatabaseClock | undefined,
): Promise<CurrentRevision> {
  return pool.use((session) => {
    const ask = async () => {
      const [found] = await session.pipeline([currentRevision(engine)]);
      return revisionOf(found?.rows);
    };
    return clock === undefined ? ask() : clock.timed(ask, ({ time }) => time);
  });
}

async function readChanges(
  session: Session,
  engine: Engine,
  revision: number,
): Promise<RegistryChanges | undefined> {
  const results = await session.pipeline([...session.begin('read only'), currentRevision(engine)]);
  const current = revisionOf(results.at(-1)?.rows);
  const changes = changesToRead(revision, current);
  const since = changes?.since ?? revision;
  const resourceServers = await readPages(session, 'select * from resource_server', since, (page) =>
    changedResourceServers(toRecords(page) as unknown as Selectable<ResourceServerTable>[]),
  );
  const clients = await readPages(session, selectClients, since, (page) =>
    changedClients((page?.rows ?? []) as readonly DatabaseValue[][]),
  );
  await session.pipeline([commit]);
  if (changes === undefined) return undefined;
  return { revision: current.revision, isWhole: changes.isWhole, resourceServers, clients };
}

const selectClients = `select ${clientRowColumns((column) => `coalesce(encode(${column}, 'hex'), '')`)} from client`;

async function readPages<Changed extends { readonly id: number }>(
  session: Session,
  select: string,
  since: number,
  changedOf: (page: SessionResult | undefined) => readonly Changed[],
): Promise<Changed[]> {
  const found: Changed[] = [];
  let after = -1;
  for (;;) {
    const [page] = await session.pipeline([
      {
        text: `${select} where revision > $1::bigint and id > $2::bigint order by id limit ${pageSize}`,
        values: [since, after],
      },
    ]);
    const changed = changedOf(page);
    found.push(...changed);
    if (changed.length < pageSize) return found;
    after = changed.at(-1)?.id ?? after;
  }
}

/** Any server of the engine with many of them can answer, so their starts say nothing there. */
const startOfServer: Readonly<Record<Engine, string>> = {
  postgresql: 'extract(epoch from pg_postmaster_start_time())::float8',
  citus: 'extract(epoch from pg_postmaster_start_time())::float8',
  yugabytedb: '0::float8',
  cockroachdb: '0::float8',
};

function currentRevision(engine: Engine): SessionQuery {
  return {
    name: 'registry_revision',
    text: `select revision, purged_revision, 1000 * extract(epoch from clock_timestamp())::float8, ${startOfServer[engine]}
      from registry_revision where id = 1`,
    values: [],
  };
}

interface CurrentRevision {
  readonly revision: number;
  readonly purgedRevision: number;
  /** Epoch milliseconds, with a fraction. */
  readonly time: number;
  /** When the server was started. */
  readonly server: number;
}

function revisionOf(rows: readonly (readonly unknown[])[] = []): CurrentRevision {
  const values = rows[0];
  if (values === undefined) throw new TypeError('the table registry_revision has no row');
  const [revision, purgedRevision, time, server] = values as [number, number, number, number];
  return { revision, purgedRevision, time, server };
}
