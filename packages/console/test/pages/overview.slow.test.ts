import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

describe('the overview', () => {
  let gui: OpenConsole<AdministrationServer>;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  let owner: Administering;
  let job: { readonly id: number; readonly clientId: string; readonly secret: string };
  before(async () => {
    gui = await openConsole(startAdministration());
    ({ server, visitor } = gui);
    owner = await server.person('owner');
    const api = await owner.create('/admin/resourceServer', anApi);
    job = await owner.create(`/admin/resourceServer/${api.id}/client`, {
      ...anApp,
      allowedClientCredentials: true,
    });
    await visitor.signIn('root', '/', JSON.stringify({ adminPrincipal: true }));
  });
  after(() => gui[Symbol.asyncDispose]());

  const request = (secret: string) =>
    server.post('/oauth2/token', { grant_type: 'client_credentials' }, `${job.clientId}:${secret}`);

  it('says in one line that nothing needs attention', async () => {
    await visitor.page.getByText('Nothing needs attention.').waitFor();
  });

  it('shows who uses what by issued tokens', async () => {
    const { page } = visitor;
    for (let count = 0; count < 7; count += 1) await request(job.secret);
    await page.reload();
    const byClient = page.getByRole('list', { name: 'Tokens issued by client' });
    await byClient.getByRole('listitem').filter({ hasText: 'Night job' }).getByText('7').waitFor();
    const byServer = page.getByRole('list', { name: 'Tokens issued by resource server' });
    await byServer.getByRole('link', { name: anApi.name }).waitFor();
    await byClient.getByRole('link', { name: 'Night job' }).click();
    await page.getByRole('heading', { name: 'Night job', level: 1 }).waitFor();
  });

  it('shows what changed last, with links to the record and to the actor', async () => {
    const { page } = visitor;
    await visitor.goTo('/');
    const change = page.getByRole('listitem').filter({ hasText: 'client night-job' });
    await change.getByText('created').waitFor();
    await change.getByRole('link', { name: 'night-job' }).click();
    await page.getByRole('heading', { name: 'Night job', level: 1 }).waitFor();
    await page.goBack();
    await change.getByRole('link', { name: 'owner' }).click();
    await page.getByRole('heading', { name: 'owner', level: 1 }).waitFor();
  });

  it('names a client that is refused often, and leads to the reasons', async () => {
    const { page } = visitor;
    for (let count = 0; count < 12; count += 1) await request('wrong');
    await server.post(
      '/oauth2/token',
      { grant_type: 'client_credentials', scope: 'nonsense' },
      `${job.clientId}:${job.secret}`,
    );
    await visitor.goTo('/');
    await page.reload();
    const finding = page.getByRole('listitem').filter({ hasText: /Night job: 1\d requests refused/ });
    await finding.waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('overview-attention');
    await finding.getByRole('link', { name: 'See why' }).click();
    await page.getByRole('tab', { name: 'Errors', selected: true }).waitFor();
    await page.getByRole('row', { name: 'invalid_client' }).waitFor();
    await page.getByRole('row', { name: 'nonsense' }).getByText('invalid_scope').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('client-errors');
    assert.equal(await page.getByText(job.secret).count(), 0);
    assert.deepEqual(visitor.errors(), []);
  });

  it('shows on the page of a client how much it is used', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients/night-job');
    await page.locator('.facts > div').filter({ hasText: 'Issued in 24 hours' }).getByText('7').waitFor();
    await page.locator('.facts > div').filter({ hasText: 'Valid tokens' }).getByRole('link').click();
    await page.getByRole('tab', { name: 'Tokens', selected: true }).waitFor();
    await visitor.screenshot('client-numbers');
  });

  it('shows a client without errors what would be here', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients/demo-service?tab=errors');
    await page.getByRole('tab', { name: 'Errors', selected: true }).waitFor();
    await page.getByText('No request was refused in the last day').waitFor();
    await visitor.goTo('/clients/never-registered');
    await page.getByText('There is no client never-registered').waitFor();
  });

  it('shows record owners the errors of their own clients alone', async () => {
    await visitor.signIn('owner', '/', '{}');
    await visitor.page.getByText('Night job: 1').waitFor();
    await visitor.signIn('stranger', '/', '{}');
    await visitor.page.getByText('Nothing needs attention.').waitFor();
  });

  it('tells users without records that administrators see all, and no administrator', async () => {
    const own = visitor.page.getByText('You see the records that you own.');
    await visitor.signIn('stranger', '/', '{}');
    await own.waitFor();
    await visitor.signIn('root', '/', JSON.stringify({ adminPrincipal: true }));
    await visitor.page.getByText('Tokens issued by client').waitFor();
    assert.equal(await own.count(), 0);
  });

  it('has no hole for a person who owns nothing: the chart says so', async () => {
    await visitor.signIn('newcomer', '/', '{}');
    await visitor.page.getByText('No token was issued in 24 hours.').waitFor();
    assert.equal(await visitor.page.locator('.plot').count(), 0);
  });
});
