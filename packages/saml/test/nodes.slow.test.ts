import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '@watchword/server-testkit/clients/ask';
import { until } from '@watchword/server-testkit/processes/process';
import { administrationCallers, anyPerson } from '@watchword/server-testkit/servers/administration';
import { UserAgent } from '@watchword/testkit/user-agent';
import { beginFlow, describedProvider, honest, honestXml, post } from './support/flow.ts';
import { startIdentityProvider } from './support/identity-provider.ts';
import { encoded } from './support/response.ts';
import {
  atProvider,
  codeOf,
  postAcross,
  requestLogin,
  type Service,
  startServiceOfNodes,
} from './support/service.ts';

// replay.test.ts: "is rejected after a restart of the server" finishes the login of another server, and "is accepted by one of
// several nodes at the same time"; nodes.test.ts of packages/upstream goes over two nodes.
describe('each of two nodes with SAML', () => {
  let service: Service;
  before(async () => {
    service = await startServiceOfNodes({ identityProviders: [describedProvider(honest)] });
  });
  after(() => service?.[Symbol.asyncDispose]());

  it('goes on with a login that the other one sent to the identity provider', async () => {
    const agent = new UserAgent();
    const flow = await beginFlow(service, honest, '', agent);
    const answer = await post(service, flow, { SAMLResponse: encoded(honestXml(flow.facts())) });
    assert.equal(answer.status, 303, answer.text);
    const page = await agent.get(answer.headers.get('location') ?? '');
    assert.notEqual(await service.principalOf(codeOf(page)), undefined);
    for (const _ of ['one', 'two']) {
      assert.match((await agent.get(`${service.baseUrl}/account`)).html, /page-account/);
    }
  });

  it('SA-12: rejects an assertion that the other one accepted', async () => {
    const flow = await beginFlow(service);
    const fields = { SAMLResponse: encoded(honestXml(flow.facts())) };
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await post(service, flow, fields)).status);
    assert.deepEqual(statuses, [303, 403, 403, 403, 403]);
  });

  it('SA-12: rejects the receipt of a login that the other one has finished', async () => {
    const flow = await beginFlow(service);
    const answer = await post(service, flow, { SAMLResponse: encoded(honestXml(flow.facts())) });
    const receipt = answer.headers.get('location') ?? '';
    codeOf(await flow.agent.get(receipt));
    for (const _ of ['one', 'two']) assert.equal((await flow.agent.get(receipt)).location, undefined);
  });
});

describe('what a person must agree to after a login by SAML', () => {
  it('is asked and answered at either of two nodes, and an end of the session in between ends the login', async () => {
    const [name, version, title, text] = ['terms', '1', 'Terms', 'Be kind.'];
    const requiredActions = JSON.stringify([{ name, version, title, text }]);
    const options = { identityProviders: [describedProvider(honest)] };
    await using service = await startServiceOfNodes(options, { requiredActions });
    const comeTo = async (agent = new UserAgent()) => {
      const flow = await beginFlow(service, honest, '', agent);
      const answer = await post(service, flow, { SAMLResponse: encoded(honestXml(flow.facts())) });
      return { agent, page: await agent.get(answer.headers.get('location') ?? assert.fail(answer.text)) };
    };
    const { agent, page } = await comeTo();
    assert.match(page.html, /page-login-step/);
    assert.doesNotMatch((await agent.get(`${service.baseUrl}/account`)).html, /page-account/);
    const other = await comeTo();
    // A request more, so that the other node has the next one.
    await agent.get(`${service.baseUrl}/healthz`);
    const answered = await agent.submit(page, { choice: 'agree' });
    assert.notEqual(await service.principalOf(codeOf(answered)), undefined);
    for (const _ of ['one', 'two']) {
      assert.match((await agent.get(`${service.baseUrl}/account`)).html, /page-account/);
    }
    codeOf((await comeTo()).page);
    const sessions = service.server.service.store.loginSessions;
    const [pending] = (await sessions.list({ limit: 9 })).filter(
      ({ authentication }) => authentication.isPending,
    );
    await sessions.delete(pending?.id ?? assert.fail('no login has steps left'), { now: Date.now() });
    const ended = await other.agent.submit(other.page, { choice: 'agree' });
    assert.throws(() => codeOf(ended));
  });
});

describe('an identity provider that an administrator set up at one of two nodes', () => {
  it('logs users in at either', async () => {
    await using idp = await startIdentityProvider();
    await using service = await startServiceOfNodes(
      {},
      {
        ...{ authenticator: anyPerson, authenticatorOptions: '{}' },
        'outbound.privateHosts': new URL(idp.metadataUrl).host,
      },
    );
    const root = await administrationCallers(service.server).administrator();
    const settings = { metadataUrl: idp.metadataUrl };
    const body = { name: 'uni', kind: 'saml', label: 'University', settings };
    assert.equal((await root.call('POST', '/admin/authenticator', body)).status, 201);
    const metadata = () => ask(`${service.baseUrl}/login/uni/saml/metadata`);
    // Each request goes to the other node.
    await until(async () => (await metadata()).status === 200 && (await metadata()).status === 200);
    idp.register((await metadata()).text);
    idp.person = { nameId: 'e-1', attributes: { 'urn:mace:dir:attribute-def:uid': ['emma'] } };
    const acs = `${service.baseUrl}/login/uni/saml/acs`;
    for (const _ of ['one', 'two']) {
      const agent = new UserAgent();
      const page = await requestLogin(service, agent, '&authenticator_hint=uni');
      const answer = await postAcross({ ...service, acs }, await atProvider(page));
      codeOf(await agent.get(answer.headers.get('location') ?? assert.fail(answer.text)));
      // A request more, so that the next login begins at the other node.
      await ask(`${service.baseUrl}/healthz`);
    }
  });
});
