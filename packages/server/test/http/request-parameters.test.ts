import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';

describe('the parameters of an authorization request', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const usernameOf = ({ forms }: Page) =>
    forms.flatMap(({ controls }) => controls).find(({ name }) => name === 'username')?.value;

  it('fill the user name of login_hint into the form, escaped', async () => {
    const hint = '"><script>@example.org';
    const page = await app.open({ login_hint: hint });
    assert.equal(usernameOf(page), hint);
    assert.equal(usernameOf(await app.open()), '');
  });

  it('choose the language of pages by ui_locales before that of the browser, through the whole login', async () => {
    const agent = new UserAgent({ 'accept-language': 'en' });
    const login = await app.open({ ui_locales: 'sv nl-BE de', prompt: 'login consent' }, agent);
    assert.equal(login.headers.get('content-language'), 'nl');
    const consent = await agent.submit(login, { username: 'emma', password: 'x' });
    assert.equal(consent.headers.get('content-language'), 'nl');
    const choice = await app.open({ ui_locales: 'de', prompt: 'select_account' }, agent);
    assert.equal(choice.headers.get('content-language'), 'de');
    const unknown = await app.open(
      { ui_locales: 'xx yy', prompt: 'login' },
      new UserAgent({ 'accept-language': 'de' }),
    );
    assert.equal(unknown.headers.get('content-language'), 'de');
  });

  it('let the user choose the account with prompt=select_account', async () => {
    const agent = new UserAgent();
    await app.authorize({}, {}, agent);
    const choice = await app.open({ prompt: 'select_account' }, agent);
    assert.match(choice.text, /With which account\?.*Continue as emma/);
    const current = await agent.submit(choice, { account: 'current' });
    assert.ok(answeredBy(current.location ?? '').has('code'));
    const other = await agent.submit(await app.open({ prompt: 'select_account' }, agent), {
      account: 'other',
    });
    assert.equal(usernameOf(other), '');
  });

  it('have display, claims_locales and unknown ones without effect on the answer', async () => {
    const { parameters } = await app.authorize({ display: 'popup', claims_locales: 'se', extra: 'foobar' });
    assert.ok(parameters.has('code'));
  });

  it('refuse what is no request object, and registrations, with the errors of OpenID Connect', async () => {
    for (const [parameter, error] of [
      ['request', 'invalid_request_object'],
      ['request_uri', 'request_uri_not_supported'],
      ['registration', 'registration_not_supported'],
    ] as const) {
      const { location = '' } = await app.open({ [parameter]: 'https://app.example/x' });
      assert.equal(answeredBy(location).get('error'), error, parameter);
    }
  });
});
