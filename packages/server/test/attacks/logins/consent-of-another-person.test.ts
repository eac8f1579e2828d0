import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { countRows } from '@watchword/server-testkit/servers/sql';
import { slowTest } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertRedirect, assertRedirectedError } from '../../support/browser-answers.ts';

const allow = { decision: 'allow' };
const deny = { decision: 'deny' };

describe('an answer on the consent page of another user', () => {
  let server: TestServer;
  let app: Application;
  let users = 0;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const newUser = () => {
    users += 1;
    return { username: `owner-${users}`, password: 'x' };
  };
  const rows = () => countRows(server.database, 'authorization_grant');
  const logIn = async (agent: UserAgent, user: { username: string; password: string }, answer = allow) => {
    const page = await agent.submit(await app.open({ prompt: 'login' }, agent), user);
    return page.status === 303 ? page : agent.submit(page, answer);
  };
  /** A user who consented before, so that there would be no question. */
  const settledUser = async () => {
    const user = newUser();
    const { location } = await logIn(new UserAgent(), user);
    assert.ok(location?.includes('code='));
    return user;
  };

  for (const answer of [allow, deny]) {
    // That a denial becomes a question too is held by the last test.
    const holds = answer === allow ? it : slowTest;
    holds(
      `LC-7: becomes a question to the user who is logged in now, with any earlier consent (${answer.decision})`,
      async () => {
        const other = await settledUser();
        const agent = new UserAgent();
        const page = await agent.submit(await app.open({}, agent), newUser());
        assertRedirect(await logIn(agent, other));
        const before = await rows();
        const asked = await agent.submit(page, answer);
        assert.equal(asked.status, 200, asked.location ?? '');
        assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
        assert.equal(await rows(), before);
        assertRedirect(await agent.submit(asked, allow));
        assert.equal(await rows(), before + 1);
      },
    );
  }

  // Held by restart-reasons.test.ts of the protocol.
  slowTest('LC-7: becomes a question to the same user too, after a new login', async () => {
    const user = newUser();
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), user);
    assertRedirect(await logIn(agent, user));
    const before = await rows();
    const asked = await agent.submit(page, allow);
    assert.equal(asked.status, 200);
    assert.equal(await rows(), before);
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest('LC-7: becomes a question after the next login, when the user has logged out', async () => {
    const other = await settledUser();
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), newUser());
    await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
    const login = await agent.submit(page, allow);
    assert.ok(login.forms[0]?.controls.some(({ name }) => name === 'username'));
    const asked = await agent.submit(login, other);
    assert.equal(asked.status, 200);
    assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
    // The form is shown again for a missing box, and its answer still becomes a question.
    const again = await agent.submit(asked, { ...allow, granted_scopes: [] });
    assertRedirect(await agent.submit(again, { ...allow, granted_scopes: ['read'] }));
  });

  it('LC-7: becomes a question where the client was changed to skip consent meanwhile', async () => {
    const trusted = await registerApplication(server);
    const agent = new UserAgent();
    const page = await agent.submit(await trusted.open({}, agent), newUser());
    const other = newUser();
    await logIn(agent, other);
    await server.service.store.clients.update(trusted.client.id, { ...trusted.client, skipConsent: true });
    await server.service.store.refreshRegistry();
    assertRedirect(await trusted.open({}, agent));
    const asked = await agent.submit(page, deny);
    assert.equal(asked.status, 200);
    assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
  });

  it('LC-7: becomes a question also with a consent module that remembers answers itself', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('remembering.mjs');
    await writeFile(
      file,
      `export default () => {
         const known = new Set();
         return {
           name: 'remembering',
           begin: async ({ resourceOwner, scopes, mustAsk }) =>
             known.has(resourceOwner.principal.name) && !mustAsk
               ? { type: 'consented', scopes, remember: false }
               : { type: 'form' },
           async resume({ resourceOwner, scopes }) {
             known.add(resourceOwner.principal.name);
             return { type: 'consented', scopes, remember: false };
           },
         };
       };`,
    );
    await using server = await startServer({ consent: file });
    const app = await registerApplication(server);
    const [first, other] = [newUser(), newUser()];
    await app.authorize({}, other);
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), first);
    assertRedirect(await agent.submit(await app.open({ prompt: 'login' }, agent), other));
    const asked = await agent.submit(page, allow);
    assert.equal(asked.status, 200, asked.location ?? '');
    assert.match(asked.text, new RegExp(`Signed in as ${other.username}`));
    assertRedirect(await agent.submit(asked, allow));
    assert.equal((await app.open({ prompt: 'consent' }, agent)).status, 200);
  });

  it('LC-7: is never returned to the client as a denial by the user who is logged in now', async () => {
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), newUser());
    await logIn(agent, newUser());
    const asked = await agent.submit(page, deny);
    assert.equal(asked.status, 200);
    const denied = await agent.submit(asked, deny);
    assertRedirectedError(denied, 'access_denied', { issuer: server.service.baseUrl });
  });
});
