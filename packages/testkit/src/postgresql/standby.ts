import { randomUUID } from 'node:crypto';
import { appendFile, chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDirectory } from './copy-directory.ts';
import { withConnection } from './query.ts';
import {
  dataAccess,
  emptyDataDirectory,
  installed,
  type PostgresqlOptions,
  type PostgresqlServer,
  startPostgresql,
} from './server.ts';

export interface StandbyOptions extends Pick<PostgresqlOptions, 'settings' | 'port'> {
  /** Where the standby reaches the primary, for example a proxy before it. */
  readonly primaryPort?: number;
}

/** A server that replays what another one, its primary, writes. */
export interface StandbyServer extends PostgresqlServer {
  /** Resolves when it has replayed everything that the primary has committed so far. */
  replayed(primary: PostgresqlServer): Promise<void>;
}

/**
 * Starts a standby that replays what the primary writes. The primary runs on meanwhile: this is a base backup by the
 * functions that `pg_basebackup` uses, which the npm package lacks.
 */
export async function startStandby(
  primary: PostgresqlServer,
  { primaryPort = primary.port, settings = {}, port }: StandbyOptions = {},
): Promise<StandbyServer> {
  const from = await installed();
  const slot = `standby_${randomUUID().replaceAll('-', '')}`;
  const dataDirectory = await emptyDataDirectory(from);
  try {
    const label = await withConnection(primary.url(), async (client) => {
      // The primary keeps what is written from here on until the standby has it.
      await client.query('select pg_create_physical_replication_slot($1, true)', [slot]);
      await client.query("select pg_backup_start('standby', true)");
      await copyDirectory(primary.dataDirectory, dataDirectory, { ...dataAccess(from), include: isCopied });
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
      return String(rows[0].labelfile);
    });
    const source = `host=127.0.0.1 port=${primaryPort} user=postgres password=${from.password}`;
    // In a file and not among the arguments, which every user of the machine can read.
    await appendFile(
      join(dataDirectory, 'postgresql.auto.conf'),
      `primary_conninfo = '${source}'\nprimary_slot_name = '${slot}'\n`,
    );
    for (const [name, content] of [
      ['backup_label', label],
      ['standby.signal', ''],
    ] as const) {
      const file = join(dataDirectory, name);
      await writeFile(file, content, { mode: 0o600 });
      if (from.runAs.uid !== undefined && from.runAs.gid !== undefined) {
        await chown(file, from.runAs.uid, from.runAs.gid);
      }
    }
  } catch (error) {
    await rm(dataDirectory, { recursive: true });
    throw error;
  }
  const standby = await startPostgresql({ settings, dataDirectory, ...(port !== undefined && { port }) });
  return Object.assign(standby, {
    async replayed(primary: PostgresqlServer) {
      const [position] = await primary.query('select pg_current_wal_lsn()::text as value');
      const reached = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached';
      while (!(await standby.query(reached, [position?.value]))[0]?.reached);
    },
  });
}

/** Not the state of the running primary, nor its log, which the standby gets from the slot. */
function isCopied(path: string): boolean {
  return !/^(?:postmaster\.(?:pid|opts)|(?:pg_wal|pg_replslot|pg_stat_tmp|pg_notify)\/.*)$/.test(path);
}
