import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UserAgent } from '@watchword/testkit/user-agent';
import { beginFlow, describedProvider, honest, honestXml, post } from './support/flow.ts';
import { encoded } from './support/response.ts';
import { codeOf, type Service, startServiceOfNodes } from './support/service.ts';

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
