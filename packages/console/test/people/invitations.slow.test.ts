import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MailServer, startMailServer } from '@watchword/server-testkit/neighbours/mail-server';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { countEffort, effortOf } from '../support/clicks.ts';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

const password = 'correct horse battery';

describe('invitations on the page of accounts', () => {
  let mailServer: MailServer;
  let gui: OpenConsole<AccountServer>;
  let visitor: ConsolePage;
  before(async () => {
    mailServer = await startMailServer();
    const mail = { 'mail.url': mailServer.url, 'mail.from': 'no-reply@id.example' };
    const flags = { ...mail, registration: 'invitation' };
    gui = await openConsole(startAccountServer(flags));
    ({ visitor } = gui);
    await visitor.signIn('root', '/accounts', password);
  });
  after(async () => {
    await gui[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });

  const open = async () => {
    await visitor.page.getByRole('button', { name: 'Invite a person' }).click();
    return visitor.page.getByRole('dialog', { name: 'Invite a person' });
  };
  const invitations = () => visitor.page.getByRole('table', { name: 'Open invitations' });

  it('shows the link of one without an address once, in few clicks, and the link makes an account', async () => {
    const { page } = visitor;
    await page.getByRole('row', { name: 'root' }).waitFor();
    assert.equal(await invitations().count(), 0);
    await countEffort(page);
    const dialog = await open();
    await dialog.getByLabel('Groups').fill('staff, editors');
    await dialog.getByLabel('Note').fill('Emma Smith');
    await dialog.getByLabel('Valid for').selectOption('30 days');
    await visitor.assertAccessible();
    await visitor.screenshot('invite');
    await dialog.getByRole('button', { name: 'Invite a person' }).click();
    const shown = page.getByRole('dialog', { name: 'The invitation is made' });
    const link = await shown.getByTestId('secret').innerText();
    assert.ok((await effortOf(page)).clicks <= 5);
    await visitor.assertAccessible();
    await visitor.screenshot('invite-link');
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    const row = invitations().getByRole('row', { name: 'Emma Smith' });
    await row.getByText('staff, editors').waitFor();
    await visitor.assertAccessible();
    const answer = await new UserAgent().get(link);
    assert.equal(answer.status, 200);
    const [made] = (await visitor.admin().invitations.list()).items;
    assert.equal((made?.expires ?? 0) - (made?.creationDate ?? 0), 30 * 86_400_000);
  });

  it('mails one with an address, and says in words what is wrong with it', async () => {
    const { page } = visitor;
    const dialog = await open();
    const address = dialog.getByLabel('E-mail address');
    await address.fill('nora');
    await dialog.getByRole('button', { name: 'Invite a person' }).click();
    await dialog.getByText('E-mail address is not an e-mail address.').waitFor();
    await visitor.assertAccessible();
    await address.fill(' nora@example.org ');
    await dialog.getByLabel('Language of the mail').fill('nl');
    await dialog.getByLabel('Passkey in place of a password').check();
    await dialog.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByText('The invitation is mailed to nora@example.org').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await invitations().getByRole('row', { name: 'nora@example.org' }).waitFor();
    await visitor.screenshot('invitations');
    const { items } = await visitor.admin().invitations.list();
    assert.equal(items.find(({ email }) => email === 'nora@example.org')?.passkey, true);
    const [received] = await mailServer.until(1);
    assert.deepEqual(
      [received?.to, /uitgenodigd|uitnodiging/i.test(received?.mail.subject ?? '')],
      ['nora@example.org', true],
    );
  });

  it('withdraws one, and says nothing of invitations once there are none', async () => {
    const { page } = visitor;
    for (const name of ['nora@example.org', 'Emma Smith']) {
      await page.getByRole('button', { name: `Actions for the invitation of ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Withdraw' }).click();
      const dialog = page.getByRole('dialog', { name: 'Withdraw the invitation?' });
      await dialog.getByText(name).waitFor();
      await visitor.assertAccessible();
      await dialog.getByRole('button', { name: 'Withdraw' }).click();
      await invitations().getByRole('row', { name }).waitFor({ state: 'detached' });
    }
    await invitations().waitFor({ state: 'detached' });
    assert.deepEqual((await visitor.admin().invitations.list()).items, []);
    assert.deepEqual(
      visitor.errors().filter((error) => !/status of 400/.test(error)),
      [],
    );
  });

  it('has the sign-ups that wait beside them', async () => {
    const { page } = visitor;
    await gui.server.service.store.personLinks.create({
      ...{ id: '019b76da-a800-7a57-899d-6e21a5a8121f', purpose: 'sign_up', address: 'oscar@example.org' },
      ...{ digest: Buffer.alloc(32), data: '', creationDate: Date.now(), expires: Date.now() + 600_000 },
    });
    await page.reload();
    const signUps = page.getByRole('table', { name: 'Pending sign-ups' });
    await signUps.getByRole('row', { name: 'oscar@example.org' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('sign-ups');
  });

  it('fits on a phone', async () => {
    await visitor.admin().invitations.create({ email: 'nora@example.org', groups: ['staff'], note: 'Nora' });
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await invitations().waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('invitations-phone');
    await open();
    await visitor.assertAccessible();
    await visitor.screenshot('invite-phone');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${width}`);
  });
});
