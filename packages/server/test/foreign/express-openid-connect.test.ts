import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type GuidedClient, guidedSite } from '../support/guided-site.ts';
import { persona } from '../support/openid-client.ts';
import { visit } from '../support/visit.ts';

describe('express-openid-connect, an independent library for websites, as in the guide', () => {
  let site: GuidedClient;
  before(async () => {
    site = await guidedSite('log-users-in/express.md', 'app.mjs');
  });
  after(() => site?.[Symbol.asyncDispose]());

  it('logs a user in by the code flow, and reads userinfo', async () => {
    const agent = new UserAgent();
    const page = await visit(agent, `${site.origin}/profile`, { password: persona });
    assert.equal(page.url, `${site.origin}/profile`);
    const { sub, ...claims } = JSON.parse(page.html);
    assert.match(sub, /^[\w-]{43}$/);
    assert.deepEqual(claims, { name: 'Emma de Vries', email: 'emma@example.org' });
  });

  it('does not log a user in who denies', async () => {
    const agent = new UserAgent();
    const page = await visit(agent, `${site.origin}/profile`, {
      username: 'eve',
      password: persona,
      decision: 'deny',
    });
    assert.equal(page.status, 400);
    assert.match((await agent.get(site.origin)).text, /Log in/);
  });

  it('logs the user out of the website and of the server, without a question', async () => {
    const agent = new UserAgent();
    await visit(agent, `${site.origin}/profile`, { username: 'ruth', password: persona });
    const page = await visit(agent, `${site.origin}/logout`);
    assert.match(page.text, /Log in/);
    const again = await agent.get(`${site.origin}/profile`);
    const login = await agent.get(again.location ?? '');
    assert.ok(login.forms.some(({ controls }) => controls.some(({ name }) => name === 'password')));
  });
});
