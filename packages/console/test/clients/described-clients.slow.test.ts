import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openClientsKey } from '@watchword/protocol';
import {
  type DocumentSite,
  logInDescribed,
  startDocumentSite,
  toolDocuments,
} from '@watchword/server-testkit/clients/document-site';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { newClient } from '@watchword/testkit';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

let site: DocumentSite;
let gui: OpenConsole<AdministrationServer>;
let server: AdministrationServer;
let visitor: ConsolePage;
const administrator = JSON.stringify({ adminPrincipal: true });
before(async () => {
  site = await startDocumentSite();
  gui = await openConsole(startAdministration({ ...site.settings, 'clients.registration': 'tokens' }));
  ({ server, visitor } = gui);
});
after(async () => {
  await gui[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** @returns whether the server accepts the access token of the user */
async function logIn(clientId: string, username: string): Promise<() => Promise<boolean>> {
  const { access_token: token } = await logInDescribed(server, clientId, username);
  const authorization = `Bearer ${token}`;
  return async () => (await server.get('/oauth2/userinfo', { authorization })).status === 200;
}

const row = (name: string) => visitor.page.getByRole('row', { name });
const dialog = () => visitor.page.getByRole('dialog');
async function choose(name: string, action: string) {
  await row(name).getByRole('button', { name: 'Actions for' }).click();
  await visitor.page.getByRole('menuitem', { name: action }).click();
  await dialog().waitFor();
}

/** Of the head of the clients of the host. */
async function chooseForHost(action: string) {
  await visitor.page.getByRole('button', { name: `Actions for ${site.host}`, exact: true }).click();
  await visitor.page.getByRole('menuitem', { name: action }).click();
  await dialog().waitFor();
}

describe('the page of clients that documents describe', () => {
  it('lists them with host, URL, users and last use, and ends all access of one', async () => {
    const { page } = visitor;
    const ended = site.serve('/ended.json', toolDocuments.opencode);
    const other = site.serve('/other.json', { ...toolDocuments.opencode, client_name: 'Other' });
    const isEmmaIn = await logIn(ended, 'emma');
    await logIn(ended, 'paul');
    const isOtherIn = await logIn(other, 'emma');
    await visitor.signIn('root', '/described-clients', administrator);
    await row(ended).waitFor();
    const cells = await row(ended).getByRole('cell').allInnerTexts();
    assert.match(cells[0] ?? '', new RegExp(`^OpenCode \\(${site.host}\\)\\s+${ended}$`));
    assert.equal(cells[1]?.replaceAll(/\s+/g, ' '), 'openid offline_access');
    assert.equal(cells[2], '2');
    const group = page.getByRole('row', { name: new RegExp(`^${site.host} 2 clients`) });
    await group.waitFor();
    await row(`Other (${site.host})`).waitFor();
    await visitor.look('console-described-clients');
    await choose(ended, 'End all access');
    await dialog().getByText('the access of 2 users').waitFor();
    await visitor.look('console-dialog-described-client');
    await dialog().getByRole('button', { name: 'End all' }).click();
    await page.getByText(`All access of OpenCode (${site.host}) has ended`).waitFor();
    await row(ended).waitFor({ state: 'detached' });
    assert.equal(await isEmmaIn(), false, 'the token of the ended client');
    assert.equal(await isOtherIn(), true, 'the token of the other client');
    assert.deepEqual(visitor.errors(), []);
  });

  it('leads to what users gave a client, and to its record', async () => {
    const { page } = visitor;
    const clientId = site.serve('/linked.json', { ...toolDocuments.opencode, client_name: 'Linked' });
    await logIn(clientId, 'emma');
    await page.reload();
    await row(clientId).getByRole('link', { name: '1', exact: true }).click();
    await row('Linked').getByText('emma').waitFor();
    await page.goBack();
    await row(clientId).getByRole('link', { name: 'Linked' }).click();
    await page.getByRole('heading', { name: 'Linked' }).first().waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('blocks the host of a client, which ends its clients, and allows it again', async () => {
    const { page } = visitor;
    const clientId = site.serve('/blocked.json', { ...toolDocuments.opencode, client_name: 'Blocked' });
    const isIn = await logIn(clientId, 'emma');
    await visitor.goTo('/described-clients');
    await page.reload();
    await chooseForHost('Block its host');
    assert.equal(
      await dialog().getByRole('textbox', { name: 'Host', exact: true }).inputValue(),
      'localhost',
    );
    await dialog().getByText('end at once, with all that users gave them').waitFor();
    await dialog().getByLabel('Note').fill('Phishing.');
    await visitor.look('console-dialog-client-host');
    await dialog().getByRole('button', { name: 'Block' }).click();
    await page.getByText(/localhost is blocked: \d+ clients have ended/).waitFor();
    await page.getByText('No such client yet').waitFor();
    await row('localhost').getByText('blocked').waitFor();
    await row('localhost').getByText('Phishing.').waitFor();
    assert.equal(await isIn(), false, 'the token of the blocked client');
    await visitor.look('console-client-hosts');

    await choose('localhost', 'Edit');
    await dialog().getByRole('radio', { name: 'Allow' }).check();
    await dialog().getByRole('button', { name: 'Allow' }).click();
    await row('localhost').getByText('allowed').waitFor();
    await choose('localhost', 'Delete');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No host has been allowed or blocked').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('ends all clients of a host, those that registered themselves, and all, and finds some', async () => {
    const { page } = visitor;
    const clientId = site.serve('/of-host.json', { ...toolDocuments.opencode, client_name: 'Of host' });
    const isIn = await logIn(clientId, 'emma');
    const { store } = server.service;
    const home = await store.resourceServers.find(openClientsKey);
    const itself = newClient({ clientName: site.host, resourceServerId: home?.id ?? 0, scopes: [] });
    await store.clients.create(itself, ['registered-itself']);
    await page.reload();
    const own = page.getByRole('row', { name: /^Registered themselves/ });
    await own.waitFor();
    await visitor.look('console-described-clients-groups');
    await page.getByRole('searchbox', { name: 'Name or client ID' }).fill('of-host');
    await own.waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Name or client ID' }).fill('');
    await own.waitFor();
    await chooseForHost('End all of these');
    await visitor.look('console-dialog-end-host');
    await dialog().getByText(`End all of ${site.host}?`).waitFor();
    await dialog().getByRole('button', { name: 'End all' }).click();
    await page
      .getByText(/\d+ clients? ha(?:s|ve) ended/)
      .first()
      .waitFor();
    await row(clientId).waitFor({ state: 'detached' });
    assert.equal(await isIn(), false, 'the token of a client of the host');
    await row('registered-itself').waitFor();
    await page.getByRole('button', { name: 'End all…' }).click();
    await dialog().getByText('End all tools and agents?').waitFor();
    await dialog().getByRole('button', { name: 'End all' }).click();
    await page.getByText('No such client yet').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  it('says what is no host, and which hosts the setting allows', async () => {
    const { page } = visitor;
    await page.locator('.part').getByText(`clients.metadataDocuments allows localhost`).waitFor();
    await page.getByRole('button', { name: 'Allow or block a host' }).click();
    await dialog().getByRole('textbox', { name: 'Host', exact: true }).fill('https://evil.example/');
    await dialog().getByRole('button', { name: 'Block' }).click();
    await dialog().getByText('must be a host name such as example.com').waitFor();
    await dialog().getByRole('textbox', { name: 'Host', exact: true }).fill(' *.Evil.example ');
    await dialog().getByRole('button', { name: 'Block' }).click();
    await row('*.evil.example').getByText('blocked').waitFor();
  });

  it('fits a phone', async () => {
    const { page } = visitor;
    await logIn(
      site.serve('/a-long-path-of-a-document/of-a-tool/client.json', toolDocuments.opencode),
      'emma',
    );
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await row('a-long-path').waitFor();
    await visitor.look('console-described-clients-phone');
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  });

  it('is for administrators only', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 800 });
    await visitor.signIn('emma', '/described-clients', '{}');
    await page.getByRole('alert').getByText('Only an administrator').first().waitFor();
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Audit log' }).waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Tools and agents' }).count(), 0);
  });

  it('makes an initial access token, shows it once, counts its clients, and ends it', async () => {
    const { page } = visitor;
    await visitor.signIn('root', '/described-clients', administrator);
    await page.getByText('There is no token.').waitFor();
    await page.getByRole('button', { name: 'Make a token' }).click();
    await dialog().getByLabel('Note').fill('Build server');
    await dialog().getByLabel('Clients').fill('2');
    await dialog().getByRole('button', { name: 'Make a token' }).click();
    const token = await page.getByTestId('secret').innerText();
    await visitor.look('console-dialog-initial-token');
    await dialog().getByRole('button', { name: 'I have stored it' }).click();
    const register = () =>
      fetch(`${server.baseUrl}/oauth2/register`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['https://built.example/cb'] }),
      });
    assert.equal((await register()).status, 201);
    await page.reload();
    await row('Build server').getByText('1 / 2').waitFor();
    await visitor.look('console-initial-tokens');
    await choose('Build server', 'End');
    await dialog().getByRole('button', { name: 'End' }).click();
    await page.getByText('The token Build server has ended').waitFor();
    assert.equal((await register()).status, 401);
  });
});
