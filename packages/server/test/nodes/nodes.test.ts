import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { chosenSecret } from '@watchword/protocol';
import { redirectUri, registerApplication } from '@watchword/server-testkit/clients/application';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import { type LogoutReceiver, startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { temporaryDirectory, until, watchword } from '@watchword/server-testkit/processes/process';
import {
  type AccountUsers,
  accountsPath,
  accountUsers,
  isLoggedIn,
} from '@watchword/server-testkit/servers/account-server';
import { type Administering, anApi, anApp } from '@watchword/server-testkit/servers/administration';
import { type Nodes, startNodes } from '@watchword/server-testkit/servers/nodes';
import {
  type Answer,
  cheapCost,
  demoClient,
  demoResourceServer,
} from '@watchword/server-testkit/servers/server';
import { slowTest, variants } from '@watchword/testkit';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { argon2Hasher } from '../../src/modules/authentication/password-hasher.ts';
import { systemRandom } from '../../src/system.ts';
import { assertError } from '../support/error-answers.ts';
import { nodeAssertionIssuers, privateIssuer, privateKeysPath } from './assertion-issuers.ts';
import { nodeClientDocuments } from './client-documents.ts';
import { nodeClientSecrets } from './client-secrets.ts';
import { nodeProofs } from './dpop.ts';
import { nodeFactors } from './factors.ts';
import { nodeHybridFlow } from './hybrid.ts';
import { nodeJwts } from './jwts.ts';
import { nodeMails } from './mails.ts';
import { nodePushedRequests } from './pushed-requests.ts';
import { nodeRaces } from './races.ts';
import { nodeRights } from './rights.ts';
import { nodeSelfRegistration } from './self-registration.ts';

const password = 'correct horse battery';
const emma = { username: 'emma', password };

const hasher = argon2Hasher({ random: systemRandom, concurrency: 1, cost: cheapCost });

/** The balancer gives each request to the next node, so that no two requests of a flow meet the same one. */
describe('each of three nodes with different clocks', () => {
  let nodes: Nodes;
  let users: AccountUsers;
  let root: Administering;

  let site: DocumentSite;
  let receiver: LogoutReceiver;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

  before(async () => {
    site = await startDocumentSite();
    receiver = await startLogoutReceiver();
    directory = await temporaryDirectory();
    await writeFile(directory.file('ca.pem'), site.certificate);
    await writeFile(directory.file('token'), 'token-of-the-operator');
    // The nodes are processes of their own, which inherit this.
    const { NODE_EXTRA_CA_CERTS: usual } = process.env;
    process.env.NODE_EXTRA_CA_CERTS = directory.file('ca.pem');
    // F14: the clocks of two machines are wrong by more than codes and pages are valid.
    nodes = await startNodes([0, 7200, -300], {
      authenticator: 'password',
      'refresh.publicGraceSeconds': '0',
      // Nobody listens: the mails stay in the store, where tests read them.
      'mail.url': 'smtp://127.0.0.1:9',
      'mail.from': 'no-reply@example.org',
      registration: 'open',
      'signing.algorithms': 'ES256',
      'clients.registration': 'tokens',
      'clients.assertionIssuers': JSON.stringify([
        {
          issuer: privateIssuer,
          jwksUri: `https://${site.host}${privateKeysPath}`,
          caFile: directory.file('ca.pem'),
          tokenFile: directory.file('token'),
        },
      ]),
      ...site.settings,
      'outbound.privateHosts': `${site.settings['outbound.privateHosts']},${receiver.host}`,
    });
    if (usual === undefined) delete process.env.NODE_EXTRA_CA_CERTS;
    else process.env.NODE_EXTRA_CA_CERTS = usual;
    users = await accountUsers(nodes);
    await users.addAccount('emma');
    root = await users.logIn('root');
  });
  after(async () => {
    await nodes?.[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  const tokenInfo = (access_token: string) =>
    nodes.post('/v1/tokeninfo', { access_token }, demoResourceServer);
  /** The status of token info at each node. */
  const everywhere = (access_token: string) =>
    Promise.all(
      nodes.nodes.map(async (node) => {
        const { status } = await node.post('/v1/tokeninfo', { access_token }, demoResourceServer);
        return status;
      }),
    );
  /** A change that takes something away is known everywhere after this time (docs/adr/0073). */
  const second = () => delay(1000);
  const created = async (path: string, body: unknown) => {
    const answer = await root.call('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };

  // First, because the nodes have no key yet.
  nodeJwts(() => ({ nodes, users, receiver, emma }));

  it('goes on with a login, a consent and a code that other nodes began', async () => {
    const app = await registerApplication(nodes);
    const { parameters, pages } = await app.authorize({}, emma);
    assert.equal(pages.length, 3);
    const answer = await app.redeem(parameters.get('code') ?? '');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await everywhere(answer.json.access_token), [200, 200, 200]);
    const { json } = await tokenInfo(answer.json.access_token);
    assert.equal(json.principal.name, 'emma');
  });

  slowTest('explains by REST and command a request that another node refused, whoever sent it', async () => {
    const env = { WATCHWORD_ADMIN_TOKEN: root.token };
    const refusedBy = await Promise.all(
      nodes.nodes.map(async (node) => [
        await node.post('/oauth2/token', { grant_type: 'client_credentials' }, 'demo-service:wrong'),
        await node.get('/authorize?response_type=code&client_id=nobody'),
      ]),
    );
    for (const { headers } of refusedBy.flat()) {
      const id = headers.get('x-request-id') ?? assert.fail('no id');
      for (const _ of nodes.nodes) {
        const { status, json } = await root.call('GET', `/admin/requestError/${id}`);
        assert.deepEqual([status, json.requestId], [200, id]);
      }
    }
    for (const { headers } of variants(1, refusedBy.flat())) {
      const id = headers.get('x-request-id') ?? assert.fail('no id');
      const { code, stdout } = await watchword(['explain', id, '--url', nodes.service.baseUrl], { env });
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^request +${id}, `));
    }
    assert.equal((await root.call('GET', '/admin/requestError/0123456789-1')).status, 404);
    const { nodeQuestions } = nodes.service.store;
    assert.deepEqual(await nodeQuestions.listAfter(0, 0), []);
  });

  slowTest('knows sessions and consents of the others, and asks again for another scope', async () => {
    const app = await registerApplication(nodes);
    const agent = new UserAgent();
    await app.authorize({ scope: 'read' }, emma, agent);
    for (const _ of nodes.nodes) {
      const page = await app.open({ scope: 'read' }, agent);
      assert.ok(answeredBy(page.location ?? '').has('code'), page.text);
    }
    const asked = await app.open({ scope: 'write' }, agent);
    assert.ok(asked.forms.some(({ controls }) => controls.some(({ name }) => name === 'decision')));
  });

  it('repeats a refresh that another node answered, and revokes the grant when a used token is used again', async () => {
    const app = await registerApplication(nodes);
    const redeemed = await app.redeem((await app.authorize({}, emma)).parameters.get('code') ?? '');
    const first = await app.refresh(redeemed.json.refresh_token);
    const again = await app.refresh(redeemed.json.refresh_token);
    assert.deepEqual([again.status, again.json], [200, first.json]);
    const next = await app.refresh(first.json.refresh_token);
    assert.equal(next.status, 200);
    assertError(await app.refresh(redeemed.json.refresh_token), 400, 'invalid_grant');
    assert.deepEqual(await everywhere(next.json.access_token), [404, 404, 404]);
  });

  // CD-2 (races.ts) holds it, of many redemptions at once.
  slowTest('revokes everything when a code is redeemed at another node again', async () => {
    const app = await registerApplication(nodes);
    const code = (await app.authorize({}, emma)).parameters.get('code') ?? '';
    const { json } = await app.redeem(code);
    assertError(await app.redeem(code), 400, 'invalid_grant');
    assert.deepEqual(await everywhere(json.access_token), [404, 404, 404]);
  });

  it('knows tokens of the implicit grant and of client credentials, and their revocation', async () => {
    const app = await registerApplication(nodes, { allowedImplicitGrant: true, confidential: false });
    const { parameters } = await app.authorize({ response_type: 'token' }, emma);
    assert.deepEqual(await everywhere(parameters.get('access_token') ?? ''), [200, 200, 200]);
    const token = await nodes.issueToken();
    assert.deepEqual(await everywhere(token), [200, 200, 200]);
    assert.equal((await nodes.post('/oauth2/revoke', { token }, demoClient)).status, 200);
    assert.deepEqual(await everywhere(token), [404, 404, 404]);
  });

  it('counts wrong passwords together with the others', async () => {
    await users.addAccount('guessed');
    const attempt = async (given: string) => {
      const agent = new UserAgent();
      const page = await agent.get(`${nodes.baseUrl}/account`);
      return (await agent.submit(page, { username: 'guessed', password: given })).status;
    };
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) statuses.push(await attempt(`wrong ${guess}`));
    assert.deepEqual(statuses, [403, 403, 403, 403, 403]);
    for (const _ of nodes.nodes) assert.equal(await attempt(password), 429);
  });

  it('knows that a user has logged out at another node', async () => {
    const agent = await users.browserOf('emma');
    for (const _ of nodes.nodes) assert.ok(await isLoggedIn(agent, nodes));
    const stolen = agent.cookies.map(({ name, value }) => `${name}=${value}; Path=/`);
    await agent.submit(await agent.get(`${nodes.baseUrl}/logout`), {});
    const thief = new UserAgent();
    for (const cookie of stolen) thief.plantCookie(cookie);
    for (const _ of nodes.nodes) assert.ok(!(await isLoggedIn(thief, nodes)));
  });

  slowTest('takes the password of a link that another node made and another one showed, once', async () => {
    const { resetLink } = await created(accountsPath, { username: 'invited' });
    const agent = new UserAgent();
    const typed = { new_password: 'a new and long one', new_password_again: 'a new and long one' };
    assert.equal((await agent.submit(await agent.get(resetLink), typed)).status, 200);
    for (const _ of nodes.nodes) assert.equal((await agent.get(resetLink)).status, 400);
    assert.ok(await isLoggedIn(await users.browserOf('invited', typed.new_password), nodes));
  });

  slowTest('ends the sessions and grants of a user whose account another node disables', async () => {
    await users.addAccount('leaver');
    const agent = await users.browserOf('leaver');
    const { access_token } = await users.grantTo('leaver');
    assert.deepEqual(await everywhere(access_token), [200, 200, 200]);
    const { json } = await root.get(`${accountsPath}?username=leaver`);
    const answer = await root.call('PATCH', `${accountsPath}/${json[0].id}`, { disabled: true });
    assert.equal(answer.status, 200, answer.text);
    for (const _ of nodes.nodes) assert.ok(!(await isLoggedIn(agent, nodes)));
    assert.deepEqual(await everywhere(access_token), [404, 404, 404]);
  });

  it('finds what an administrator has just registered or changed at another node', async () => {
    const api = await created('/admin/resourceServer', { ...anApi, name: 'Fresh API' });
    const path = `/admin/resourceServer/${api.id}/client`;
    const app = await created(path, { ...anApp, clientName: 'Fresh app', allowedClientCredentials: true });
    const byClient = (secret: string, form = {}) =>
      nodes.post('/oauth2/token', { grant_type: 'client_credentials', ...form }, `${app.clientId}:${secret}`);
    const info = (access_token: string) =>
      nodes.post('/v1/tokeninfo', { access_token }, `${api.key}:${api.secret}`);
    const { json } = await byClient(app.secret);
    assert.equal((await info(json.access_token)).status, 200);
    for (const _ of nodes.nodes) assert.equal((await root.get(`${path}/${app.id}`)).status, 200);
    const { secret } = (await root.call('POST', `${path}/${app.id}/secret`)).json;
    assert.equal((await byClient(secret)).status, 200);
    const renamed = await root.call('PATCH', `${path}/${app.id}`, { redirectUris: [redirectUri] });
    assert.equal(renamed.status, 200, renamed.text);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
    });
    assert.equal((await new UserAgent().get(`${nodes.baseUrl}/authorize?${query}`)).status, 200);
  });

  slowTest('issues tokens of a grant type and a scope that another node has just allowed', async () => {
    const app = await registerApplication(nodes, { scopes: ['read'] });
    const path = `/admin/resourceServer/${app.client.resourceServerId}/client/${app.client.id}`;
    const issue = (scope: string) =>
      nodes.post('/oauth2/token', { grant_type: 'client_credentials', scope }, app.credentials);
    for (const [change, scope] of [
      [{ allowedClientCredentials: true }, 'read'],
      [{ scopes: ['read', 'write'] }, 'write'],
    ] as const) {
      assert.equal((await root.call('PATCH', path, change)).status, 200);
      const answer = await issue(scope);
      assert.deepEqual([answer.status, answer.json.scope], [200, scope], answer.text);
    }
  });

  it('knows after one second that a scope was removed, a secret replaced and a client deleted elsewhere', async () => {
    const app = await registerApplication(nodes, { allowedClientCredentials: true });
    const { id, resourceServerId } = app.client;
    const path = `/admin/resourceServer/${resourceServerId}/client/${id}`;
    const form = { grant_type: 'client_credentials' };
    const byClient = (node: { post: Nodes['post'] }, scope?: string): Promise<Answer> =>
      node.post('/oauth2/token', { ...form, ...(scope !== undefined && { scope }) }, app.credentials);
    const { access_token } = (await byClient(nodes)).json;
    assert.equal((await root.call('PATCH', path, { scopes: ['read'] })).status, 200);
    await second();
    for (const node of nodes.nodes) {
      assertError(await byClient(node, 'write'), 400, 'invalid_scope');
      const { json } = await node.post('/v1/tokeninfo', { access_token }, demoResourceServer);
      assert.deepEqual(json.scopes, ['read']);
    }
    // Each node remembers that it has verified the secret.
    const weak = chosenSecret('weak', await hasher.hash('weak')).stored;
    await nodes.service.store.clients.replaceSecret(id, weak);
    await second();
    const byWeakSecret = (node: { post: Nodes['post'] }) =>
      node.post('/oauth2/token', form, `${app.client.clientId}:weak`);
    for (const node of [...nodes.nodes, ...nodes.nodes]) assert.equal((await byWeakSecret(node)).status, 200);
    await root.call('POST', `${path}/secret`);
    await second();
    for (const node of nodes.nodes) {
      assertError(await byClient(node), 401, 'invalid_client');
      assertError(await byWeakSecret(node), 401, 'invalid_client');
    }
    assert.equal((await root.call('DELETE', path)).status, 204);
    await second();
    assert.deepEqual(await everywhere(access_token), [404, 404, 404]);
  });

  slowTest(
    'accepts no token that was issued before all tokens of the client were revoked elsewhere',
    async () => {
      const app = await registerApplication(nodes, { allowedClientCredentials: true });
      const issue = () => nodes.post('/oauth2/token', { grant_type: 'client_credentials' }, app.credentials);
      const issued = await Promise.all(Array.from({ length: 6 }, issue));
      const { id, resourceServerId } = app.client;
      const path = `/admin/resourceServer/${resourceServerId}/client/${id}/revocation`;
      const answer = await root.call('POST', path);
      assert.ok(answer.status < 300, answer.text);
      await second();
      for (const { json } of issued) assert.deepEqual(await everywhere(json.access_token), [404, 404, 404]);
      const later = await issue();
      assert.deepEqual(await everywhere(later.json.access_token), [200, 200, 200]);
    },
  );

  slowTest('shows the branding that an administrator sets at another node, with its files', async () => {
    const { status } = await root.call('PUT', '/admin/branding', {
      productName: 'Acme ID',
      logo: '',
      lightColours: { accent: '#5b3fa8' },
      darkColours: {},
      texts: {},
    });
    assert.equal(status, 200);
    for (const node of nodes.nodes) {
      const page = async () => (await node.get('/', { accept: 'text/html' })).text;
      await until(async () => (await page()).includes('Acme ID'));
      const [, css = ''] = /"(\/assets\/brand[^"]+)"/.exec(await page()) ?? [];
      for (const other of nodes.nodes) assert.match((await other.get(css)).text, /#5b3fa8/);
    }
  });

  nodeRaces(() => nodes, emma);

  nodePushedRequests(() => nodes, emma);

  nodeProofs(() => nodes);

  nodeHybridFlow(() => nodes, emma);

  nodeAssertionIssuers(() => ({ nodes, site, root, users }));

  nodeMails(() => ({ nodes, users }));

  nodeFactors(() => ({ nodes, users }));

  nodeClientDocuments(() => ({ nodes, site, root, password }));

  nodeClientSecrets(() => ({ nodes, root }));
  nodeRights(() => ({ nodes, root }));

  nodeSelfRegistration(() => ({ nodes, root }));
});
