import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BundledProgram, bundleProgram } from '../runner/bundled-program.ts';
import { type CheckoutChanges, imaginedChanges } from './checkout-changes.ts';
import { nextNumber } from './recipes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const store = 'packages/store-sql/src';

/** The migrations of the versions that follow. */
export const expanding = `${nextNumber}-bound-key`;
export const contracting = `${String(Number(nextNumber) + 1).padStart(4, '0')}-no-confirmation`;

/** What the next version stores in the column `bound_key` of a bearer token. Rows of this version have an empty text. */
export const noKey = 'none';

/**
 * The version after this one, which only a test has. Its migration adds a column to access tokens, which every request of a resource server
 * reads, and one to clients, which every node has in memory. Its code writes and reads the first, and does not use the column
 * `confirmation` any more.
 */
export function nextVersion(): Promise<BundledProgram> {
  return changedVersion(expand);
}

/** The version after that, with a migration that contracts. */
export function versionAfterNext(): Promise<BundledProgram> {
  return changedVersion(async (changes) => {
    await expand(changes);
    await addMigration(
      changes,
      contracting,
      `summary: 'removes the column confirmation of access tokens',
  requires: '${expanding}',
  up: (db) => db.schema.alterTable('access_token').dropColumn('confirmation').execute(),`,
    );
  });
}

async function changedVersion(apply: (changes: CheckoutChanges) => Promise<void>): Promise<BundledProgram> {
  const changes = imaginedChanges();
  await apply(changes);
  return bundleProgram(new Map([...changes.texts].map(([path, text]) => [join(root, path), text])));
}

async function expand(changes: CheckoutChanges): Promise<void> {
  await addMigration(
    changes,
    expanding,
    `summary: 'adds the key of bound access tokens',
  async up(db, types) {
    for (const [table, column, type, value] of [
      ['access_token', 'bound_key', types.text, ''],
      ['client', 'last_used', types.integer, 0],
    ]) {
      await db.schema.alterTable(table).addColumn(column, type, (c) => c.notNull().defaultTo(value)).execute();
    }
  },`,
  );
  const written = `bound_key: confirmationColumn(token) ?? '${noKey}'`;
  const read = `const confirmation = ['', '${noKey}'].includes(row.bound_key) ? null : row.bound_key`;
  for (const [file, text, by] of [
    ['hot/tables.ts', `confirmation: 'text?'`, `bound_key: 'text'`],
    ['grants/access-tokens.ts', `confirmation: 'text?'`, `bound_key: 'text'`],
    ['grants/token-rows.ts', 'confirmation: confirmationColumn(token)', written],
    ['grants/access-token-rows.ts', 'const { confirmation } = row', read],
  ] as const)
    await changes.replace(`${store}/${file}`, text, by);
}

function addMigration(changes: CheckoutChanges, name: string, members: string): Promise<void> {
  return changes.replace(`${store}/schema/migrations.ts`, '\n};', `\n  '${name}': {\n${members}\n},\n};`);
}
