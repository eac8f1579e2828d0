import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { createOutboundFetch } from '@watchword/outbound';
import { testKey } from '@watchword/testkit/certificate';
import { startSite } from '@watchword/testkit/site';
import { assertFails } from './support/failure.ts';

const outboundFetch = createOutboundFetch({ allowHttp: true, allowPrivateAddresses: true });

describe('an outbound request', () => {
  it('goes to no URL without TLS, of another scheme, or that is not absolute', async () => {
    const secure = createOutboundFetch({ allowPrivateAddresses: true });
    await assertFails(secure('http://127.0.0.1:1/x'), 'invalid-url', /expected a URL with https, got http:/);
    for (const url of ['file:///etc/passwd', 'data:,x', 'javascript:x', 'ftp://example.org/']) {
      await assertFails(outboundFetch(url), 'invalid-url', /expected a URL with https or http, got \w+:$/);
    }
    for (const url of ['', '/x', 'example.org', 'https://']) {
      await assertFails(outboundFetch(url), 'invalid-url', /^expected an absolute URL$/);
    }
  });

  it('goes to no URL with a user name or a password, and does not repeat them', async () => {
    for (const user of ['emma', 'emma:secret', ':secret']) {
      const url = `https://${user}@127.0.0.1:1/x`;
      await assertFails(
        outboundFetch(url),
        'invalid-url',
        /^the URL of 127\.0\.0\.1:1 must not have a user name or a password$/,
      );
    }
  });

  it('sends a GET request with the headers of the caller, and closes its connection', async () => {
    await using site = await startSite((_request, response) => response.end('here'));
    const answer = await outboundFetch(`${site.url}/a?b=c#d`, { headers: { Accept: 'text/plain' } });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), 'here');
    const [request] = site.requests;
    assert.equal(`${request?.method} ${request?.url}`, 'GET /a?b=c');
    assert.equal(request?.headers.accept, 'text/plain');
    assert.equal(request?.headers.connection, 'close');
  });

  it('sends a body by POST, as text or as bytes', async () => {
    await using site = await startSite(async (request, response) => {
      const { method, headers } = request;
      response.end(
        `${method} ${headers['content-type']} ${headers['content-length']} ${await text(request)}`,
      );
    });
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{"é":1}', new TextEncoder().encode('{"é":1}')]) {
      const answer = await outboundFetch(site.url, { headers, body });
      assert.equal(await answer.text(), 'POST application/json 8 {"é":1}');
    }
    const empty = await outboundFetch(site.url, { method: 'POST' });
    assert.equal(await empty.text(), 'POST undefined 0 ');
  });

  it('takes no header that frames the message or names the host, and no body with GET', async () => {
    for (const name of ['Host', 'connection', 'Content-Length', 'transfer-encoding', 'proxy-authorization']) {
      await assert.rejects(outboundFetch('https://example.org', { headers: { [name]: 'x' } }), TypeError);
    }
    await assert.rejects(outboundFetch('https://example.org', { method: 'GET', body: 'x' }), TypeError);
  });

  it('ends when its signal does, before and after the answer has begun', async () => {
    await using site = await startSite((_request, response) => void response.write('begin'));
    await assertFails(
      outboundFetch(site.url, { signal: AbortSignal.abort() }),
      'aborted',
      /^the request to 127\.0\.0\.1:\d+ was aborted$/,
    );
    const controller = new AbortController();
    const answer = await outboundFetch(site.url, { signal: controller.signal });
    controller.abort();
    await assertFails(answer.text(), 'aborted', /was aborted/);
  });

  it('reports a server that cannot be reached or closes the connection, without the path', async () => {
    await assertFails(
      outboundFetch('http://127.0.0.1:1/secret'),
      'unreachable',
      /^the connection to 127\.0\.0\.1:1 failed: ECONNREFUSED$/,
    );
    await using site = await startSite((request) => request.socket.destroy());
    await assertFails(outboundFetch(site.url), 'unreachable', /failed: ECONNRESET$/);
  });
});

describe('an outbound request over TLS', () => {
  const key = testKey('localhost');
  const here = { allowPrivateAddresses: true };

  it('reaches a server whose certificate is of a trusted authority and for its name', async () => {
    await using site = await startSite((_request, response) => response.end('here'), key);
    const trusting = createOutboundFetch({ ...here, certificateAuthorities: [key.certificate] });
    assert.equal(await (await trusting(site.url.replace('127.0.0.1', 'localhost'))).text(), 'here');
  });

  it('rejects a certificate of another authority or for another name, in any environment', async () => {
    await using site = await startSite((_request, response) => response.end('here'), key);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const url = site.url.replace('127.0.0.1', 'localhost');
      await assertFails(createOutboundFetch(here)(url), 'tls', /^TLS with localhost:\d+ failed: /);
      const trusting = createOutboundFetch({ ...here, certificateAuthorities: [key.certificate] });
      await assertFails(trusting(site.url), 'tls', /ERR_TLS_CERT_ALTNAME_INVALID/);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    assert.equal(site.requests.length, 0);
  });

  it('reports a server that does not speak TLS', async () => {
    await using site = await startSite((_request, response) => response.end('here'));
    const url = site.url.replace('http:', 'https:');
    await assertFails(createOutboundFetch(here)(url), 'tls', /failed: EPROTO$/);
  });
});

describe('a redirect', () => {
  const redirectTo = (location: string, status = 302) =>
    startSite((_request, response) => void response.writeHead(status, { location }).end());

  it('is not followed unless the operator permits it', async () => {
    await using site = await redirectTo('http://169.254.169.254/');
    await assertFails(
      outboundFetch(site.url),
      'redirect',
      /^127\.0\.0\.1:\d+ answered with a redirect \(status 302\) that is not followed$/,
    );
  });

  it('is an answer with status and Location, of every method, if the policy returns redirects', async () => {
    await using site = await redirectTo('http://169.254.169.254/', 308);
    const returning = createOutboundFetch({
      allowHttp: true,
      allowPrivateAddresses: true,
      returnRedirects: true,
    });
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'] as const) {
      using answer = await returning(site.url, { method });
      assert.deepEqual([answer.status, answer.headers.location], [308, 'http://169.254.169.254/']);
    }
    assert.deepEqual(
      site.requests.map(({ method }) => method),
      ['GET', 'HEAD', 'OPTIONS', 'POST'],
    );
    await assert.rejects(returning(site.url, { method: 'OPTIONS', body: 'x' }), TypeError);
  });

  it('is followed as often as the operator permits, relative or absolute', async () => {
    await using site = await startSite((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 3) response.end('there');
      else response.writeHead([301, 303, 308][step] ?? 302, { location: `/${step + 1}` }).end();
    });
    const following = (maxRedirects: number) =>
      createOutboundFetch({ allowHttp: true, allowPrivateAddresses: true, maxRedirects });
    const answer = await following(3)(`${site.url}/0`);
    assert.equal(answer.url.href, `${site.url}/3`);
    assert.equal(await answer.text(), 'there');
    await assertFails(following(2)(`${site.url}/0`), 'redirect', /status 308/);
  });

  it('is checked like the first URL', async () => {
    for (const [location, kind] of [
      ['http://10.0.0.1:1/', 'private-address'],
      ['file:///etc/passwd', 'invalid-url'],
      ['http://emma:secret@127.0.0.1/', 'invalid-url'],
      ['http://[', 'redirect'],
    ] as const) {
      await using site = await redirectTo(location);
      const { host } = new URL(site.url);
      const following = createOutboundFetch({
        allowHttp: true,
        allowPrivateAddresses: [host],
        maxRedirects: 5,
      });
      await assertFails(following(site.url), kind, /./);
    }
  });

  it('from https to http is rejected', async () => {
    const key = testKey('localhost');
    const toPlain = (_request: unknown, response: ServerResponse) =>
      void response.writeHead(302, { location: 'http://localhost:1/' }).end();
    await using site = await startSite(toPlain, key);
    const following = createOutboundFetch({
      allowHttp: true,
      allowPrivateAddresses: true,
      certificateAuthorities: [key.certificate],
      maxRedirects: 1,
    });
    await assertFails(following(site.url.replace('127.0.0.1', 'localhost')), 'invalid-url', /got http:/);
  });

  it('of a POST request is not followed, because the body is for the first server', async () => {
    await using site = await redirectTo('/next', 307);
    const following = createOutboundFetch({ allowHttp: true, allowPrivateAddresses: true, maxRedirects: 1 });
    await assertFails(following(site.url, { body: 'x' }), 'redirect', /a POST request is not redirected/);
    assert.equal(site.requests.length, 1);
  });

  it('to another origin takes no credentials along', async () => {
    await using there = await startSite((_request, response) => response.end());
    await using site = await redirectTo(there.url);
    const following = createOutboundFetch({ allowHttp: true, allowPrivateAddresses: true, maxRedirects: 1 });
    const headers = {
      authorization: 'Bearer secret',
      cookie: 'a=b',
      'x-api-key': 'secret',
      accept: 'text/css',
    };
    (await following(site.url, { headers })).close();
    const { accept, authorization, cookie, 'x-api-key': apiKey } = there.requests[0]?.headers ?? {};
    assert.deepEqual([accept, authorization, cookie, apiKey], ['text/css', undefined, undefined, undefined]);
    assert.equal(site.requests[0]?.headers.authorization, 'Bearer secret');
  });

  it('leaves no connection open', async () => {
    await using site = await startSite((_request, response) => {
      response.writeHead(302, { location: '/next' });
      response.write('the body of a redirect that never ends');
    });
    const following = createOutboundFetch({ allowHttp: true, allowPrivateAddresses: true, maxRedirects: 2 });
    await assertFails(following(site.url), 'redirect', /that is not followed/);
    await Promise.all(site.requests.map(({ socket }) => socket.closed || once(socket, 'close')));
    assert.equal(await site.connections(), 0);
  });
});
