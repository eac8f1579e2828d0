import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../schema.ts';
import type { Check } from './check.ts';

/** The version of the server, as it names it. */
export const version: Check = async ({ db }) => ({
  checked: `PostgreSQL ${(await setting(db, 'server_version')) ?? 'of an unknown version'}`,
});

export const encoding: Check = async ({ db }) => {
  const found = await setting(db, 'server_encoding');
  const isUtf8 = found === undefined || found === 'UTF8';
  return {
    checked: `encoding ${found}`,
    findings: isUtf8
      ? []
      : [
          `The encoding of the database is ${found}, which does not have all characters. Create a database with encoding UTF8.`,
        ],
  };
};

/** Settings without which a crash of PostgreSQL or of its machine loses tokens that the server has answered with. */
const durable = {
  fsync: 'a crash of the machine can damage the database',
  full_page_writes: 'a crash of the machine can damage the database',
  synchronous_commit: 'a crash of PostgreSQL loses tokens that the server has answered with',
} as const;

export const durability: Check = async ({ db }) => {
  const found = await Promise.all(
    Object.entries(durable).map(async ([name, danger]) => [name, danger, await setting(db, name)] as const),
  );
  return {
    checked: `durability (${found.map(([name, , value]) => `${name} ${value ?? 'unknown'}`).join(', ')})`,
    findings: found.flatMap(([name, danger, value]) =>
      value === 'off' ? [`${name} is off: ${danger}. Set it to on.`] : [],
    ),
  };
};

export const checksums: Check = async ({ db }) => {
  const found = await setting(db, 'data_checksums');
  return {
    checked: `data checksums ${found ?? 'unknown'}`,
    warnings:
      found === 'off'
        ? [
            'data_checksums is off: PostgreSQL does not notice a page that the disk has damaged. Stop PostgreSQL, and run pg_checksums --enable.',
          ]
        : [],
  };
};

/** The value of a setting; `undefined` if this engine does not have it. */
export async function setting(db: Kysely<Schema>, name: string): Promise<string | undefined> {
  const { rows } = await sql<{
    found: string | null;
  }>`select current_setting(${name}, true) as found`.execute(db);
  return rows[0]?.found ?? undefined;
}
