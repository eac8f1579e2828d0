import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { slowTest } from '@watchword/testkit';
import { assertRejected, beginFlow, describedProvider, honest, honestXml, post } from './support/flow.ts';
import { encoded, responseXml } from './support/response.ts';
import { postAcross, type Service, startService } from './support/service.ts';

let service: Service;
before(async () => {
  service = await startService({ identityProviders: [describedProvider(honest)] });
});
after(() => service[Symbol.asyncDispose]());

describe('SA-16: RelayState', () => {
  for (const [what, relayState] of [
    ['missing', undefined],
    ['empty', ''],
    ['a URL', 'https://evil.example/'],
    ['a URL without scheme', '//evil.example'],
    ['a URL with a backslash', '/\\evil.example'],
    ['a path', '/account'],
    ['10 KB', 'a'.repeat(10_240)],
    ['a handle with something after it', '019b76da-a800-7000-8000-000000000000&x=1'],
  ] as const) {
    it(`rejects a RelayState that is ${what}, without a redirect`, async () => {
      const flow = await beginFlow(service);
      const SAMLResponse = encoded(honestXml(flow.facts()));
      const answer = await postAcross(service, {
        SAMLResponse,
        ...(relayState !== undefined && { RelayState: relayState }),
      });
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.get('location'), null);
      assert.doesNotMatch(answer.text, /evil\.example/);
    });
  }

  it('rejects the RelayState of another login or of an unknown login', async () => {
    for (const relayState of [
      (await beginFlow(service)).relayState,
      '019b76da-a800-7000-8000-000000000000',
    ]) {
      const flow = await beginFlow(service);
      const answer = await post(
        service,
        { ...flow, relayState },
        { SAMLResponse: encoded(honestXml(flow.facts())) },
      );
      const page = await flow.agent.get(answer.headers.get('location') ?? '');
      assert.equal(page.status, 400, page.text);
      assert.match(page.text, /no longer valid/);
    }
  });
});

describe('SA-19: the assertion consumer service', () => {
  it('answers GET with 405', async () => {
    const answer = await fetch(`${service.acs}?SAMLResponse=x&RelayState=y`);
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'POST');
  });

  for (const [what, SAMLResponse] of [
    ['nothing', undefined],
    ['an empty text', ''],
    ['a text that is not base64', 'a b<c>'],
    ['base64 that is cut off', 'YWJ'],
    ['base64 for URLs', encoded('<a/>???').replaceAll('+', '-').replaceAll('/', '_')],
    ['a text that is not XML', encoded('hello')],
    ['an empty document', encoded(' ')],
  ] as const) {
    it(`answers ${what} with 400`, async () => {
      const flow = await beginFlow(service);
      const answer = await post(service, flow, SAMLResponse === undefined ? {} : { SAMLResponse });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /The answer cannot be read/);
    });
  }

  it('rejects other SAML messages', async () => {
    const flow = await beginFlow(service);
    for (const name of ['AuthnRequest', 'LogoutResponse', 'ArtifactResponse']) {
      const xml = responseXml(flow.facts()).replaceAll('samlp:Response', `samlp:${name}`);
      await assertRejected(service, flow, xml, 'structure');
    }
  });

  it('answers JSON with 415', async () => {
    const answer = await fetch(service.acs, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(answer.status, 415);
  });

  it('answers repeated parameters with 400', async () => {
    const flow = await beginFlow(service);
    const SAMLResponse = encoded(honestXml(flow.facts()));
    const body = new URLSearchParams([
      ['RelayState', flow.relayState],
      ['SAMLResponse', SAMLResponse],
      ['SAMLResponse', SAMLResponse],
    ]);
    assert.equal((await fetch(service.acs, { method: 'POST', body })).status, 400);
  });

  it('shows an error status without its text, and logs its codes', async () => {
    const flow = await beginFlow(service);
    const status =
      '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>' +
      '<samlp:StatusMessage>&lt;script&gt;alert(1)&lt;/script&gt;</samlp:StatusMessage>';
    const page = await assertRejected(service, flow, responseXml(flow.facts({ status }), ''), 'status', 400);
    assert.match(page, /Your organisation did not sign you in/);
    assert.doesNotMatch(page, /script>alert|alert\(1\)/);
    assert.match(service.refusedLogins().at(-1)?.detail ?? '', /Responder AuthnFailed/);
  });

  it('rejects an assertion without the status success', async () => {
    const flow = await beginFlow(service);
    for (const status of ['', '<samlp:StatusCode/>', '<samlp:StatusCode Value="urn:x:Success"/>']) {
      await assertRejected(service, flow, honestXml(flow.facts({ status })), 'status', 400);
    }
  });
});

describe('LC-10: the cookies of a SAML login', () => {
  it('are hidden from scripts and not sent by other sites', async () => {
    const flow = await beginFlow(service);
    const cookies = flow.agent.cookies.filter(({ name }) => name.startsWith('watchword_'));
    assert.deepEqual(cookies.map(({ name }) => name.replace(/_[0-9a-f-]{36}$/, '')).sort(), [
      'watchword_flow',
      'watchword_waiting',
    ]);
    for (const { attributes } of cookies) {
      assert.equal(attributes.get('samesite'), 'Lax');
      assert.ok(attributes.has('httponly'));
    }
  });

  it('are neither needed nor set at the assertion consumer service', async () => {
    const flow = await beginFlow(service);
    const answer = await post(service, flow, { SAMLResponse: encoded(honestXml(flow.facts())) });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('set-cookie'), null);
    assert.ok(answer.headers.get('location')?.startsWith(`${service.baseUrl}/saml/resume?`));
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  });

  // packages/server/test/http/browser-cookies.test.ts: its cookies are made by the same function.
  slowTest('have the prefix __Host- with an https base URL', async () => {
    await using secure = await startService(
      { identityProviders: [describedProvider(honest)] },
      { baseUrl: 'https://id.example', consent: 'form' },
    );
    const response = await fetch(`${secure.server.baseUrl}/authorize?response_type=code&client_id=demo-app`, {
      redirect: 'manual',
    });
    const cookies = response.headers.getSetCookie();
    assert.equal(cookies.length, 2);
    for (const cookie of cookies) {
      assert.match(cookie, /^__Host-watchword_(?:flow|waiting_[0-9a-f-]{36})=/);
      for (const attribute of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']) {
        assert.ok(cookie.split('; ').includes(attribute), cookie);
      }
    }
  });
});

describe('the metadata of this service provider', () => {
  it('names its URLs below the base URL, with its path', async () => {
    await using below = await startService(
      {
        identityProviders: [describedProvider(honest)],
        displayName: 'A & B',
        contactEmail: 'ops@example.org',
      },
      { baseUrl: 'https://id.example/auth', consent: 'form' },
    );
    const answer = await fetch(`${below.server.baseUrl}/saml/metadata`);
    assert.equal(answer.headers.get('content-type'), 'application/samlmetadata+xml');
    const xml = await answer.text();
    for (const part of [
      'entityID="https://id.example/auth/saml/metadata"',
      'Location="https://id.example/auth/saml/acs"',
      'Location="https://id.example/auth/saml/discovery"',
      '<mdui:DisplayName xml:lang="en">A &amp; B</mdui:DisplayName>',
      'mailto:ops@example.org',
    ]) {
      assert.ok(xml.includes(part), part);
    }
    assert.doesNotMatch(xml, /SingleLogoutService|KeyDescriptor/);
  });
});
