import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../schema/schema.ts';
import type { Check } from './check.ts';

/** A database with an old version or another encoding than UTF8 is not opened, so they are only named. */
export const version: Check = async ({ db }) => {
  const { server_version, server_encoding } = await settingsOfServer(db, 'server_version', 'server_encoding');
  return { checked: `version ${server_version}, encoding ${server_encoding}` };
};

/** Without them, a crash of the machine can damage the database. */
const durable = ['fsync', 'full_page_writes'] as const;

export const durability: Check = async ({ db }) => {
  const found = Object.entries(await settingsOfServer(db, ...durable));
  return {
    checked: found.map(([name, value]) => `${name} ${value}`).join(', '),
    findings: found.flatMap(([name, value]) =>
      value === 'off'
        ? [`${name} is off: a crash of the machine can damage the database, or lose tokens. Set it to on.`]
        : [],
    ),
  };
};

const durableCommits: ReadonlySet<string> = new Set(['on', 'remote_apply', 'unknown']);

/** The connections of servers and commands set it for themselves, so the value is that of other programs. */
export const commits: Check = async ({ db }) => {
  const { rows } = await sql<{ role: string; commits: string }>`
    select current_user as role, reset_val as commits from pg_settings where name = 'synchronous_commit'`.execute(
    db,
  );
  const { role = '', commits = 'unknown' } = rows[0] ?? {};
  return {
    checked: `synchronous_commit ${commits}`,
    warnings: durableCommits.has(commits)
      ? []
      : [
          `synchronous_commit is ${commits} for the role ${role}. Servers commit with on all the same, so no answered token is lost; what other programs write as this role can be. Set it to on: alter role "${role}" set synchronous_commit = on.`,
        ],
  };
};

export const checksums: Check = async ({ db }) => {
  const { data_checksums } = await settingsOfServer(db, 'data_checksums');
  return {
    checked: `data_checksums ${data_checksums}`,
    warnings:
      data_checksums === 'off'
        ? [
            'data_checksums is off: PostgreSQL does not notice a page that the disk has damaged. Stop PostgreSQL, and run pg_checksums --enable.',
          ]
        : [],
  };
};

/** The values of settings of PostgreSQL; `unknown` for one that this engine does not have. */
export async function settingsOfServer<Name extends string>(
  db: Kysely<Schema>,
  ...names: readonly Name[]
): Promise<Record<Name, string>> {
  const values = names.map(
    (name) => sql`coalesce(current_setting(${name}, true), 'unknown') as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<Name, string>>`select ${sql.join(values)}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table has one row');
  return row;
}
