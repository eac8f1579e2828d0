import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OAuthError } from '@watchword/protocol';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { databaseFor } from '@watchword/server-testkit/servers/engine';
import { openServerStore } from '@watchword/store-sql';
import { authenticationContext, FakeClock } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import {
  assertAccepted,
  assertRejected,
  beginFlow,
  describedProvider,
  honest,
  honestXml,
  post,
} from './support/flow.ts';
import { baseUrl, startNode } from './support/node.ts';
import { encoded, facts, newId } from './support/response.ts';
import { type Service, startService } from './support/service.ts';

const identityProviders = [describedProvider(honest)];

let service: Service;
before(async () => {
  service = await startService({ identityProviders });
});
after(() => service[Symbol.asyncDispose]());

describe('SA-12: a replayed assertion', () => {
  it('is rejected in the same browser, in another one and in another login', async () => {
    const flow = await beginFlow(service);
    const xml = honestXml(flow.facts());
    await assertAccepted(service, flow, xml);
    await assertRejected(service, flow, xml, 'replay');
    await assertRejected(
      service,
      await beginFlow(service, honest, '&prompt=login', flow.agent),
      xml,
      'replay',
    );
    const stolen = await beginFlow(service, honest, '', new UserAgent());
    const page = await assertRejected(service, stolen, xml, 'replay');
    assert.match(page, /This sign-in was already used/);
  });

  it('is rejected within another response', async () => {
    const flow = await beginFlow(service);
    const xml = honestXml(flow.facts());
    await assertAccepted(service, flow, xml);
    await assertRejected(
      service,
      flow,
      xml.replace(/(<samlp:Response .*?) ID="[^"]+"/, `$1 ID="${newId()}"`),
      'replay',
    );
  });

  it('is accepted once of 10 concurrent times', async () => {
    const flow = await beginFlow(service);
    const SAMLResponse = encoded(honestXml(flow.facts()));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(service, flow, { SAMLResponse })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      303,
      ...Array.from({ length: 9 }, () => 403),
    ]);
  });

  it('is rejected after a restart of the server', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    const first = await startService({ identityProviders }, { database });
    const flow = await beginFlow(first);
    const xml = honestXml(flow.facts());
    const waiting = honestXml(flow.facts());
    await assertAccepted(first, flow, xml);
    const begun = await beginFlow(first);
    const port = String(first.server.port);
    await first[Symbol.asyncDispose]();
    await using second = await startService({ identityProviders }, { database, port });
    await assertRejected(second, flow, xml, 'replay');
    // A login needs nothing of the memory of the server at which it began.
    await assertAccepted(second, begun, honestXml(begun.facts()));
    // The login state survives the restart, with its cookies. It was used, so a new assertion does not make it valid again.
    const answer = await post(second, flow, { SAMLResponse: encoded(waiting) });
    const page = await flow.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 400);
  });

  it('is accepted by one of several nodes at the same time', async () => {
    await using directory = await temporaryDirectory();
    const clock = new FakeClock(Date.now());
    const store = await openServerStore({ database: await databaseFor(directory.file('x.db')), clock });
    try {
      const nodes = await Promise.all(
        [1, 2, 3].map(() => startNode({ identityProviders }, store.oneTime, clock)),
      );
      // The response has the time of the machine.
      clock.advance(Date.now() - clock.now());
      const of = facts({
        issuer: honest.entityId,
        acs: `${baseUrl}/saml/acs`,
        audience: `${baseUrl}/saml/metadata`,
        inResponseTo: newId(),
      });
      const fields = {
        SAMLResponse: encoded(honestXml(of)),
        RelayState: '019b76da-a800-7000-8000-000000000000',
      };
      const answers = await Promise.allSettled(
        nodes.flatMap((node) => [1, 2, 3].map(() => node.answer('/saml/acs', fields))),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      // The database keeps the id of the assertion until the assertion has expired.
      const [node] = nodes;
      clock.advance(389_000);
      await assert.rejects(node?.answer('/saml/acs', fields) ?? assert.fail(), isRefused('replay'));
      await store.purge({ expiredBefore: clock.now(), deletedBefore: 0, batchSize: 100 });
      await assert.rejects(node?.answer('/saml/acs', fields) ?? assert.fail(), isRefused('replay'));
      clock.advance(2000);
      await store.purge({ expiredBefore: clock.now(), deletedBefore: 0, batchSize: 100 });
      await assert.rejects(node?.answer('/saml/acs', fields) ?? assert.fail(), isRefused('time'));
    } finally {
      await store.close();
    }
  });
});

describe('the receipt of a login', () => {
  it('is valid once, in the browser that sent the request', async () => {
    const flow = await beginFlow(service);
    const answer = await post(service, flow, { SAMLResponse: encoded(honestXml(flow.facts())) });
    const location = answer.headers.get('location') ?? '';
    assert.ok(location.length < 300);
    const stranger = await new UserAgent().get(location);
    assert.equal(stranger.status, 403, 'it has no cookie to show');
    const end = await flow.agent.get(location);
    assert.match(end.location ?? '', /code=/);
    const again = await beginFlow(service, honest, '&prompt=login', flow.agent);
    const second = await flow.agent.get(
      location.replace(/auth_state=[^&]+/, `auth_state=${again.relayState}`),
    );
    assert.equal(second.status, 403);
    assert.equal(service.refusedLogins().at(-1)?.check, 'replay');
  });

  it('is valid for two minutes, and for one login', async () => {
    const node = await startNode({ identityProviders });
    const login = async () => {
      const inResponseTo = newId();
      const of = facts({
        issuer: honest.entityId,
        acs: `${baseUrl}/saml/acs`,
        audience: `${baseUrl}/saml/metadata`,
        inResponseTo,
      });
      const fields = {
        SAMLResponse: encoded(honestXml(of)),
        RelayState: '019b76da-a800-7000-8000-000000000000',
      };
      const answer = await node.answer('/saml/acs', fields);
      const { searchParams } = new URL(
        answer.type === 'redirect' ? answer.location : assert.fail(answer.type),
      );
      return { login: searchParams.get('login') ?? '', inResponseTo };
    };
    const resume = (receipt: string, requestId: string) =>
      node.module.resume(
        authenticationContext({
          requestId: 'request-2',
          state: { provider: honest.entityId, requestId, askedAt: node.clock.now() },
        }),
        new Map([['login', [receipt]]]),
      );
    const mine = await login();
    const theirs = await login();
    await assert.rejects(resume(mine.login, theirs.inResponseTo), isRefused('request'));
    assert.equal((await resume(theirs.login, theirs.inResponseTo)).type, 'authenticated');
    const late = await login();
    node.clock.advance(120_000);
    await assert.rejects(resume(late.login, late.inResponseTo), isRefused('replay'));
    assert.match(node.lines.at(-1) ?? '', /^warn a login was rejected .*"requestId":"request-2"/);
  });
});

function isRefused(check: string) {
  return (error: OAuthError) => error.message.includes(`check: ${check}.`);
}
