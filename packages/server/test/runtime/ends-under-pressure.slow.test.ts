import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { type AccountUsers, accountUsers } from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import { type Nodes, startNodes } from '@watchword/server-testkit/servers/nodes';
import { demoResourceServer } from '@watchword/server-testkit/servers/server';
import { rounds } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';

const emma = { username: 'emma', password: 'correct horse battery' };
const identity = { resourceOwnerId: 'emma', resourceOwnerAuthority: 'password' };
const connections = 8;
const ends = rounds(2, 25);
// Answers that the end waits for, and that a connection gets at most.
const [warm, most] = [16, 2000];

/** What a thief of a session does: asks each node without pause, from several connections, and redeems every second code at once. */
async function askWithoutPause(nodes: Nodes, app: Application, cookie: string, end: () => Promise<void>) {
  const codes: string[] = [];
  const tokens: { access_token: string; refresh_token: string }[] = [];
  const { search } = new URL(app.authorizeUrl({ prompt: 'none' }));
  const { promise: isWarm, resolve: beginEnd } = Promise.withResolvers<void>();
  const connection = async (_: unknown, index: number) => {
    for (let turn = index; turn < most; turn += 1) {
      const node = nodes.nodes[turn % nodes.nodes.length] ?? assert.fail('there are nodes');
      const answered = await fetch(`${node.baseUrl}/authorize${search}`, {
        redirect: 'manual',
        headers: { cookie },
      });
      assert.equal(answered.status, 303);
      const answer = new URL(answered.headers.get('location') ?? '').searchParams;
      const code = answer.get('code');
      if (code === null) return answer.get('error');
      if (turn % 2 === 0) codes.push(code);
      else {
        const redeemed = await app.redeem(code);
        if (redeemed.status === 200) tokens.push(redeemed.json);
      }
      if (codes.length + tokens.length >= warm) beginEnd();
    }
    return assert.fail('the session still gets codes');
  };
  const asking = Array.from({ length: connections }, connection);
  await Promise.race([isWarm, Promise.all(asking)]);
  await end();
  return { codes, tokens, errors: new Set(await Promise.all(asking)) };
}

describe('an end against a session that asks two nodes without pause', () => {
  let nodes: Nodes;
  let users: AccountUsers;
  let root: Administering;
  let app: Application;
  before(async () => {
    nodes = await startNodes([0, 0], { authenticator: 'password' });
    users = await accountUsers(nodes);
    await users.addAccount('emma');
    root = await users.logIn('root');
    app = await registerApplication(nodes);
  });
  after(() => nodes?.[Symbol.asyncDispose]());

  const everywhere = (path: string, form: Record<string, string>, credentials: string | undefined) =>
    Promise.all(nodes.nodes.map(async (node) => (await node.post(path, form, credentials)).status));

  const isAlive = async ({
    access_token,
    refresh_token,
  }: {
    access_token: string;
    refresh_token: string;
  }) => {
    const known = await everywhere('/v1/tokeninfo', { access_token }, demoResourceServer);
    const refreshed = await everywhere(
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token },
      app.credentials,
    );
    return [...known, ...refreshed].includes(200);
  };

  for (const [name, error, end] of [
    [
      'of everything of a person',
      'login_required',
      async () => {
        const { status, text } = await root.call('POST', '/admin/resourceOwner/revocation', identity);
        assert.equal(status, 200, text);
      },
    ],
    [
      'of the access of one client',
      'consent_required',
      async () => {
        const { clientId } = app.client;
        const listed = await root.get(`/admin/grant?clientId=${clientId}`);
        const query = new URLSearchParams({ subject: listed.json[0].subject, clientId });
        const { status, text } = await root.call('DELETE', `/admin/grant?${query}`);
        assert.equal(status, 200, text);
      },
    ],
  ] as const) {
    it(`leaves no live code and no live token on either node: the end ${name}`, async (test) => {
      let issued = 0;
      for (let round = 0; round < ends; round += 1) {
        const agent = new UserAgent();
        await app.authorize({}, emma, agent);
        const cookie = agent.cookies.map(({ name: own, value }) => `${own}=${value}`).join('; ');
        const { codes, tokens, errors } = await askWithoutPause(nodes, app, cookie, end);
        assert.deepEqual([...errors], [error]);
        for (const code of codes) assert.equal((await app.redeem(code)).status, 400, 'a code is left');
        for (const pair of tokens) assert.equal(await isAlive(pair), false, 'a token is left');
        issued += codes.length + tokens.length;
      }
      test.diagnostic(`${ends} ends, ${issued} codes`);
      assert.ok(issued >= ends * warm, String(issued));
    });
  }
});
