import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { slowTest } from '@watchword/testkit';
import type { ConsolePage } from '../support/console-page.ts';
import { type SearchedServer, startSearchedServer } from '../support/searched-server.ts';
import { calledName, type SourceNode, sources } from '../support/sources.ts';

let searched: SearchedServer;
let server: SearchedServer['server'];
let visitor: ConsolePage;
before(async () => {
  searched = await startSearchedServer();
  ({ server, visitor } = searched);
});
after(() => searched[Symbol.asyncDispose]());

describe('the field that finds by name', () => {
  it('finds clients, resource servers and people, each once', async () => {
    const { page } = visitor;
    await searched.find().click();
    await page.getByText('Type a part of a name').waitFor();
    await searched.find().fill('night');
    await page.getByRole('option', { name: 'Night job' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('find');
    for (const [text, option, heading] of [
      ['signing k', 'Signing keys page', 'Signing keys'],
      ['NIGHT', 'Night job client night-job', 'Night job'],
      ['orders', 'Orders API resource server', 'Orders API'],
      ['emm', 'emma person, from password', 'The emma'],
      ['session.idle', 'session.idleLifetime setting', 'Settings'],
    ] as const) {
      await searched.find().fill(text);
      await page.getByRole('option', { name: option }).waitFor();
      assert.deepEqual(await page.locator('.popup').getByRole('option').allInnerTexts(), [option]);
      await searched.find().press('Enter');
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await searched.find().fill('no such name');
    await page.getByText('Nothing fits').waitFor();
    await searched.find().press('Escape');
    assert.deepEqual(visitor.errors(), []);
  });

  slowTest(
    'is opened by / where nothing is typed, offers what was opened last, and is left by Escape',
    async () => {
      const { page } = visitor;
      await visitor.goTo('/tokens');
      await page.getByRole('searchbox').press('/');
      assert.equal(await page.getByRole('searchbox').inputValue(), '/');
      await page.getByRole('searchbox').fill('');
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('/');
      await page.getByText('Opened last').waitFor();
      assert.ok(await searched.find().evaluate((field) => field.ownerDocument.activeElement === field));
      const options = page.locator('.popup').getByRole('option');
      assert.deepEqual((await options.allInnerTexts()).slice(0, 2), [
        'session.idleLifetime setting',
        'emma person, from password',
      ]);
      await visitor.assertAccessible();
      await visitor.screenshot('find-recent');
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      await page.getByRole('heading', { name: 'Orders API', level: 1 }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('/');
      await page.getByText('Opened last').waitFor();
      assert.match((await options.allInnerTexts())[0] ?? '', /^Orders API/);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      assert.ok(await searched.find().evaluate((field) => field.ownerDocument.activeElement !== field));
    },
  );

  it('shows an access token by its text, which gets into no address', async () => {
    const { page } = visitor;
    const token = await server.issueToken();
    await searched.find().fill(token);
    const dialog = page.getByRole('dialog', { name: 'Access token' });
    await dialog.getByRole('link', { name: 'demo-service' }).click();
    await page.getByRole('heading', { name: 'Demo Service', level: 1 }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await searched.assertInNoAddress(token);
    const kept = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    assert.ok(!String(kept).includes(token));
  });
});

describe('the access page', () => {
  it('shows who has access, and ends it in four clicks from the overview', async () => {
    const { page } = visitor;
    await server.addAccount('lena');
    const tokens = await server.grantTo('lena');
    await page.getByRole('link', { name: 'Grants' }).click();
    await page.getByRole('searchbox').fill('lena');
    const row = page.getByRole('row', { name: 'The lena' }).first();
    await row.waitFor();
    await page.getByRole('row', { name: 'root' }).waitFor({ state: 'detached' });
    for (const text of [
      ...['Demo App', 'Demo Resource Server', 'read', 'lena', 'from password'],
      ...['refresh token, 1 access token', 'consent is remembered'],
    ]) {
      await row.getByText(text).first().waitFor();
    }
    await visitor.assertAccessible();
    await row.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End this grant' }).click();
    await page.getByRole('dialog').getByText('the refresh token and 1 access token').waitFor();
    await page.getByRole('button', { name: 'End grant' }).click();
    await page.getByText('No grant fits').waitFor();
    assert.equal(await server.tokenStatus(tokens.access_token), 404);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    assert.equal((await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret')).status, 400);
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('keys that confirm or choose a conversion of an input method', () => {
  it('get to no handler of the GUI', () => {
    const isHandled = (node: SourceNode) => {
      if (node.type === 'VariableDeclarator' && (node.id as SourceNode).name === 'onKeyDown') {
        return calledName(node.init as SourceNode) === 'onKeys';
      }
      if (node.type !== 'JSXAttribute' || !/^onKey/.test(String((node.name as SourceNode).name))) return true;
      const { expression } = node.value as { readonly expression: SourceNode };
      return expression.name === 'onKeyDown' || calledName(expression) === 'onKeys';
    };
    const unhandled = sources('onKey').flatMap(({ file, nodes, lineOf }) =>
      nodes.filter((node) => !isHandled(node)).map((node) => `${file}:${lineOf(node)}`),
    );
    assert.deepEqual(unhandled, []);
  });
});
