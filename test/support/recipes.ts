import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { migrations } from '../../packages/store-sql/src/schema/migrations.ts';
import { read, root, titleOf } from '../../scripts/docs/contents.ts';
import type { CheckoutChanges } from './checkout-changes.ts';
import { blocks, codeSpans, lines, section, steps, words } from './markdown.ts';

const contributing = read('CONTRIBUTING.md');

/** The texts of the recipes, by title. */
export const recipes: ReadonlyMap<string, string> = new Map(
  globSync('docs/recipes/*.md', { cwd: root })
    .toSorted()
    .map((file) => read(file))
    .map((text) => [titleOf(text), text]),
);

/** All that CONTRIBUTING.md and its recipes say. */
export const contributingTexts = [contributing, ...recipes.values()].join('\n');

const server = 'packages/server';
const compose = `${server}/src/compose.ts`;
const lastNumber = Object.keys(migrations).at(-1)?.slice(0, 4);
/** The number of the new migration. */
export const nextNumber = String(Number(lastNumber) + 1).padStart(4, '0');

/** A step of a recipe: its file, its code, and its texts in backticks. */
interface Step {
  readonly file: string;
  readonly code: string;
  readonly spans: readonly string[];
}

export function recipe(title: string): Step[] {
  return steps(recipes.get(title) ?? assert.fail(`no recipe "${title}"`)).map((text) => {
    const spans = codeSpans(text);
    return { file: spans[0] ?? '', code: blocks('ts', text)[0] ?? '', spans };
  });
}

/** The only span of a step with this start. */
function span({ spans }: Step | undefined = { file: '', code: '', spans: [] }, start: string): string {
  const [found, ...others] = spans.filter((candidate) => candidate.startsWith(start));
  assert.ok(found !== undefined && others.length === 0, start);
  return found;
}

/** The words of the only command that runs one test file. */
export function commandOfOneFile(): string[] {
  const setUp = blocks('sh', section('Set-up', contributing)).flatMap(lines);
  const [command = '', ...others] = setUp.filter((line) => line.includes('--test '));
  assert.deepEqual(others, []);
  return words(command);
}

/** Follows each recipe that shows code, and adds only the imports that an editor would add. */
const follow: Readonly<Record<string, (copy: CheckoutChanges, steps: readonly Step[]) => Promise<void>>> = {
  async 'Add a grant'(copy, [grant, table, port]) {
    for (const { file, code } of [grant, port] as Step[]) await copy.write(file, code);
    const list = table?.file ?? '';
    await copy.replace(list, 'return [', `return [${span(table, 'voucherGrant(')}`);
    const dependencies = span(table, 'VoucherDependencies');
    await copy.replace(list, 'GrantTypeDependencies = ', `GrantTypeDependencies = ${dependencies} & `);
    await copy.replace(list, '', `import { type ${dependencies}, voucherGrant } from './voucher.ts';\n`);
    await copy.replace(
      'packages/protocol/src/index.ts',
      '',
      `export type { VoucherStore } from './ports/stores/voucher-store.ts';\n`,
    );
    const one = `vouchers: { redeem: async (voucher: string) => voucher === 'one' },`;
    const stores = 'packages/protocol/src/ports/stores/stores.ts';
    await copy.replace(stores, 'readonly accounts:', 'readonly vouchers: VoucherStore;\nreadonly accounts:');
    await copy.replace(stores, '', `import type { VoucherStore } from './voucher-store.ts';\n`);
    const memoryStore = 'packages/testkit/src/fakes/memory-store.ts';
    await copy.replace(memoryStore, '    authorizationCodes,\n', `    authorizationCodes,\n${one}\n`);
    const ports = 'packages/store-sql/src/store/ports.ts';
    await copy.replace(ports, 'auditEvents: sqlAuditEvents(db)', `${one}\nauditEvents: sqlAuditEvents(db)`);
  },

  async 'Add a response type'(copy, [type, table]) {
    await copy.write(type?.file ?? '', type?.code ?? '');
    const list = table?.file ?? '';
    await copy.replace(list, 'return [', `return [${span(table, 'noneResponseType(')}`);
    await copy.replace(list, '& ImplicitFlowDependencies', `& ImplicitFlowDependencies ${span(table, '& ')}`);
    await copy.replace(list, '', `import { type NoneDependencies, noneResponseType } from './none.ts';\n`);
  },

  async 'Add an endpoint'(copy, [rules, route, feature, list, test]) {
    for (const { file, code } of [rules, route, feature, test] as Step[]) await copy.write(file, code);
    const exported = `export { clientInfoEndpoint, type ClientInfoEndpoint } from './endpoints/client-info.ts';\n`;
    await copy.replace('packages/protocol/src/index.ts', '', exported);
    const entry = span(list, 'clientInfo(');
    await copy.replace(compose, 'Feature[] = [', `Feature[] = [${entry}`);
    await copy.replace(compose, '', `import { clientInfo } from './features/client-info.ts';\n`);
  },

  async 'Add a field to a record'(copy, [entry]) {
    const table = entry?.file ?? '';
    await copy.replace(table, '  reset: {', `${entry?.code}\n  reset: {`);
    const checks = 'nameProblems } from';
    await copy.replace(table, checks, 'nameProblems, webUrlProblems } from');
  },

  async 'Add a migration'(copy, [migration, list]) {
    const numbered = (text = '') => text.replace('NNNN', nextNumber);
    const file = numbered(migration?.file);
    await copy.write(file, migration?.code ?? '');
    const index = list?.file ?? '';
    await copy.replace(index, '\n};', `\n${numbered(span(list, "'NNNN"))}\n};`);
    await copy.replace(index, '', `import { clientLastUse } from './migrations/${basename(file)}';\n`);
  },

  async 'Add an error code'(copy, [row, use]) {
    const table = 'export const protocolErrors = {';
    await copy.replace('packages/protocol/src/model/errors/error-table.ts', table, `${table}\n${row?.code}`);
    const thrown = `import { OAuthError } from '../model/errors/errors.ts';\nexport const slowDown = () => { ${span(use, 'throw')}; };\n`;
    await copy.write('packages/protocol/src/rules/slow-down.ts', thrown);
  },

  async 'Add a setting'(copy, [definition, use, errors]) {
    const table = 'export const settings = {';
    await copy.replace(definition?.file ?? '', table, `${table}\n${definition?.code}`);
    const limit = `export const limit = (configuration: Configuration): number => ${span(use, 'configuration[')};\n`;
    const rules = 'const rules: Readonly<Record<SettingPath, Rule>> = {';
    await copy.replace(span(errors, `${server}/test/`), rules, `${rules}\n${errors?.code}`);
    await copy.write(
      `${server}/src/config/limit.ts`,
      `import type { Configuration } from './settings.ts';\n${limit}`,
    );
  },

  async 'Add a command'(copy, [command]) {
    const file = 'packages/cli/src/records/clients/client.ts';
    assert.ok(command?.spans.includes(file));
    await copy.replace(file, 'function listCommand', `${command?.code}\nfunction listCommand`);
    await copy.replace(
      file,
      '.addCommand(listCommand())',
      `${span(command, '.addCommand')}.addCommand(listCommand())`,
    );
  },
};

export const followed = Object.keys(follow);

/** Follows all recipes, one after the other. */
export async function followRecipes(copy: CheckoutChanges): Promise<void> {
  for (const [title, apply] of Object.entries(follow)) await apply(copy, recipe(title));
}
