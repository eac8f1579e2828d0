import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileOf } from '@watchword/server-testkit/processes/guide';
import { UserAgent } from '@watchword/testkit/user-agent';
import { hasApache, startApache } from '../support/apache.ts';
import { type GuidedClient, guidedClient } from '../support/guided-site.ts';
import { persona } from '../support/openid-client.ts';
import { visit } from '../support/visit.ts';

const guide = 'log-users-in/apache.md';
const skip = hasApache
  ? false
  : 'mod_auth_openidc is not installed (Debian package libapache2-mod-auth-openidc)';

describe('mod_auth_openidc, an independent module of Apache, as in the guide', { skip }, () => {
  let client: GuidedClient;
  let apache: AsyncDisposable;
  before(async () => {
    client = await guidedClient(guide);
    apache = await startApache(client.port, client.adapt(fileOf(guide, 'openidc.conf')));
  });
  after(async () => {
    await Promise.all([apache, client].map((each) => each?.[Symbol.asyncDispose]()));
  });

  it('logs a user in by the code flow with PKCE, and reads userinfo', async () => {
    const page = await visit(new UserAgent(), `${client.origin}/protected/page`, { password: persona });
    assert.equal(page.url, `${client.origin}/protected/page`);
    assert.equal(page.status, 200, page.text);
    assert.match(page.headers.get('x-user') ?? '', /^[\w-]{43}/);
    assert.equal(page.headers.get('x-claims'), 'Emma de Vries emma@example.org');
  });

  it('logs the user out of the website and of the server, without a question', async () => {
    const agent = new UserAgent();
    await visit(agent, `${client.origin}/protected/page`, { username: 'ruth', password: persona });
    const home = encodeURIComponent(`${client.origin}/`);
    const page = await visit(agent, `${client.origin}/protected/callback?logout=${home}`);
    assert.equal(page.text, 'the website');
    const again = await agent.get(`${client.origin}/protected/page`);
    const login = await agent.get(again.location ?? '');
    assert.ok(login.forms.some(({ controls }) => controls.some(({ name }) => name === 'password')));
  });
});
