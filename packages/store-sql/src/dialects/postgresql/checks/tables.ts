import { sql } from 'kysely';
import { missingMigrations, schemaProblem, schemaState } from '../../../schema/migrate.ts';
import type { Check } from './check.ts';

export const schema: Check = async ({ db }) => {
  const state = await schemaState(db);
  const problem = schemaProblem(state);
  const missing = missingMigrations(state);
  const lacking = `The database lacks the migrations ${missing.join(', ')}. Run "watchword migrate" as the role that owns the tables. A server whose role owns them does so at its start.`;
  const waiting = `The migrations ${state.deferrable.join(', ')} wait until every node is of this release. Then run "watchword migrate --finish" as the role that owns the tables.`;
  return {
    checked: `schema (migration ${state.applied.at(-1) ?? 'none'})`,
    findings: [
      ...(problem === undefined ? [] : [`The database ${problem}`]),
      ...(problem === undefined && missing.length > 0 ? [lacking] : []),
    ],
    warnings: problem === undefined && missing.length === 0 && state.deferrable.length > 0 ? [waiting] : [],
  };
};

const needed = ['select', 'insert', 'update', 'delete'] as const;

/** Whether this role can do with each table what a server does. */
export const rights: Check = async ({ db }) => {
  const { rows } = await sql<{ name: string; lacking: string }>`
    select tables.relname as name, string_agg(needed.right_name, ', ' order by needed.right_name) as lacking
    from pg_class tables
    join pg_namespace spaces on spaces.oid = tables.relnamespace and spaces.nspname = current_schema()
    cross join unnest(${sql.raw(`array['${needed.join("', '")}']`)}) needed (right_name)
    where tables.relkind in ('r', 'p') and not has_table_privilege(tables.oid, needed.right_name)
    group by tables.relname order by tables.relname`.execute(db);
  const { rows: roles } = await sql<{ name: string; word: string }>`
    select current_user as name, quote_ident(current_user) as word`.execute(db);
  const role = roles[0]?.name ?? 'this role';
  return {
    checked: `rights of the role ${role}`,
    findings: rows.map(
      ({ name, lacking }) =>
        `The role ${role} lacks the right to ${lacking} in the table ${name}. As the owner of the table, run: grant ${needed.join(', ')} on ${name} to ${roles[0]?.word}.`,
    ),
  };
};

/** An index whose creation failed is not used, and a unique one does not keep rows unique. */
export const indexes: Check = async ({ db }) => {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(indexes.relname) as name
    from pg_index
    join pg_class indexes on indexes.oid = pg_index.indexrelid
    join pg_namespace spaces on spaces.oid = indexes.relnamespace and spaces.nspname = current_schema()
    where not pg_index.indisvalid order by indexes.relname`.execute(db);
  return {
    checked: 'indexes',
    findings: rows.map(({ name }) => `The index ${name} is not valid. Run: reindex index ${name}.`),
  };
};
