import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
  type CommandResult,
  startProcess,
  temporaryDirectory,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { demoClient, postForm } from '@watchword/server-testkit/servers/server';
import { root } from '../scripts/docs/contents.ts';
import { type CheckoutCopy, copyCheckout } from './support/checkout-copy.ts';
import { commandOfOneFile, followRecipes, nextNumber, recipe, recipes } from './support/recipes.ts';

const bin = 'packages/server/bin/watchword.js';
const tsc = 'node_modules/typescript/bin/tsc';

describe('the recipes, followed in a copy of the checkout,', () => {
  let copy: CheckoutCopy;
  before(async () => {
    copy = await copyCheckout();
    await followRecipes(copy);
    const records = ['--conditions=source', '--test', '--test-update-snapshots'];
    await copy.run(...records, 'packages/admin-client/test/description.test.ts');
  });
  after(() => copy[Symbol.asyncDispose]());

  /** Runs commands of the copy, one after the other. Resolves with their results. */
  const commands = async (...lines: readonly (readonly string[])[]): Promise<CommandResult[]> =>
    JSON.parse(await copy.run('--conditions=source', 'test/support/run-commands.ts', JSON.stringify(lines)));

  it('have code that compiles at the named places', async () => {
    const include = ['packages/*/src', ...copy.changed()];
    await copy.write('tsconfig.recipes.json', JSON.stringify({ extends: './tsconfig.json', include }));
    assert.equal(await copy.run(tsc, '--noEmit', '-p', 'tsconfig.recipes.json'), '');
  });

  it('have files with which the linter has no problem', async () => {
    const named = [...recipes.keys()].flatMap((title) => recipe(title).map(({ file }) => file));
    const files = copy
      .changed()
      .filter((file) => named.includes(file.replace(nextNumber, 'NNNN')) && !existsSync(`${root}${file}`));
    assert.ok(files.length > 5, files.join());
    await copy.run('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...files);
  });

  it('show how to run one test file, and an endpoint whose test passes', async () => {
    const [, , ...flags] = commandOfOneFile().slice(0, -1);
    const test = recipe('Add an endpoint').at(4);
    assert.match(await copy.run(...flags, test?.file ?? ''), /pass 2$/m);
  });

  it('show a migration that updates a database of this release', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    assert.equal((await watchword(['migrate', ...database])).code, 0);
    const report = await copy.run(bin, 'migrate', '--json', ...database);
    assert.deepEqual(JSON.parse(report).migrated, [`${nextNumber}-client-last-use`]);
  });

  it('show a field that a command sets and a database keeps', async () => {
    await using directory = await temporaryDirectory();
    const database = ['--json', '--database', directory.file('x.db')];
    const create = ['client', 'create', '--name', 'App', '--resource-server', 'api', '--home-page'];
    const [, , created, updated, refused] = await commands(
      ['migrate', ...database],
      ['resource-server', 'create', '--name', 'Api', ...database],
      [...create, 'https://app.example/', ...database],
      ['client', 'update', 'app', '--description', 'x', ...database],
      [...create, 'x', ...database],
    );
    assert.equal(created?.code, 0);
    assert.equal(JSON.parse(updated?.stdout ?? '').homePage, 'https://app.example/');
    assert.equal(refused?.code, 1);
    assert.match(refused?.stderr ?? '', /homePage: is not an http\(s\) URL/);
  });

  it('show a grant, a response type, a setting and a command that work', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await using running = await startProcess(
      ['--demo', 'small', '--port', '0', '--database', database],
      (command) => command.map((word) => (word.endsWith('watchword.js') ? copy.file(bin) : word)),
    );
    const grant = { grant_type: 'urn:example:voucher', voucher: 'one', scope: 'read' };
    const answer = await postForm(running.baseUrl, '/oauth2/token', grant, demoClient);
    assert.equal((await answer.json()).scope, 'read');
    const metadata = await fetch(`${running.baseUrl}/.well-known/oauth-authorization-server`);
    assert.deepEqual((await metadata.json()).response_types_supported, [
      'none',
      'code',
      'token',
      'id_token',
      'id_token token',
      'code id_token',
      'code token',
      'code id_token token',
    ]);
    const scopes = ['client', 'scopes', 'demo-service', '--json', '--database', database];
    const [ofClient, settings] = await commands(scopes, ['config']);
    assert.deepEqual(JSON.parse(ofClient?.stdout ?? ''), { clientId: 'demo-service', scopes: ['read'] });
    assert.match(settings?.stdout ?? '', /http\.bodyLimit +65536/);
  });
});
