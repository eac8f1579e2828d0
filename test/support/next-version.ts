import { type CheckoutCopy, copyCheckout } from './checkout-copy.ts';
import { nextNumber } from './recipes.ts';

const store = 'packages/store-sql/src';
const bin = 'packages/server/bin/watchword.js';

/** The migrations of the versions that follow. */
export const expanding = `${nextNumber}-bound-key`;
export const contracting = `${String(Number(nextNumber) + 1).padStart(4, '0')}-no-confirmation`;

/** What the next version stores in the column `bound_key` of a bearer token. Rows of this version have an empty text. */
export const noKey = 'none';

/** A later version of the server, which only a test has. */
export interface NextVersion extends AsyncDisposable {
  /** The program of its command line. */
  readonly bin: string;
  /** Runs a command. Resolves with its output. @throws Error with all of its output when it fails */
  run(...args: readonly string[]): Promise<string>;
  /** Makes it the version after, with a migration that contracts. What runs already has loaded its code. */
  addContraction(): Promise<void>;
}

/**
 * The version after this one. Its migration adds a column to access tokens, which every request of a resource server reads, and one to
 * clients, which every node has in memory. Its code writes and reads the first, and does not use the column `confirmation` any more.
 */
export async function nextVersion(): Promise<NextVersion> {
  const copy = await copyCheckout();
  await addMigration(
    copy,
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
  const written = `bound_key: confirmation === undefined ? '${noKey}'`;
  const read = `const confirmation = ['', '${noKey}'].includes(row.bound_key) ? null : row.bound_key`;
  for (const [file, text, by] of [
    ['hot/tables.ts', `confirmation: 'text?'`, `bound_key: 'text'`],
    ['access-tokens.ts', `confirmation: 'text?'`, `bound_key: 'text'`],
    ['token-rows.ts', 'confirmation: confirmation === undefined ? null', written],
    ['access-token-rows.ts', 'const { confirmation } = row', read],
  ] as const)
    await copy.replace(`${store}/${file}`, text, by);
  return {
    bin: copy.file(bin),
    run: (...args) => copy.run(bin, ...args),
    addContraction: () =>
      addMigration(
        copy,
        contracting,
        `summary: 'removes the column confirmation of access tokens',
  requires: '${expanding}',
  up: (db) => db.schema.alterTable('access_token').dropColumn('confirmation').execute(),`,
      ),
    [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose](),
  };
}

async function addMigration(copy: CheckoutCopy, name: string, members: string): Promise<void> {
  const list = `${store}/migrations/index.ts`;
  const constant = `migration${name.slice(0, 4)}`;
  await copy.write(`${store}/migrations/${name}.ts`, `export const ${constant} = {\n  ${members}\n};\n`);
  await copy.replace(list, '\n};', `\n  '${name}': ${constant},\n};`);
  await copy.replace(list, '', `import { ${constant} } from './${name}.ts';\n`);
}
