import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@watchword/server/system';
import { trustCertificates } from '@watchword/server-testkit/neighbours/trusted-certificates';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { startSite } from '@watchword/testkit/site';
import { tlsFindings } from '../src/checks/tls.ts';
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.ts';

const day = 86_400_000;
const trusted = testKey('localhost');

describe('watchword doctor, of a base URL with https,', () => {
  let proxy: FaultyProxy;
  let server: TestServer;
  before(async () => {
    proxy = await startFaultyProxy(trusted);
    server = await startServer({ baseUrl: proxy.url, trustedProxies: '127.0.0.1' });
    proxy.server = server.port;
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function examined(url: string) {
    const { code, stdout } = await watchword(['doctor', '--json', '--url', url]);
    const { firstBreak, findings } = JSON.parse(stdout);
    const [{ check, verdict, found, advice }] = findings;
    return { code, firstBreak, count: findings.length, said: `${check} ${verdict}: ${found} -> ${advice}` };
  }

  it('finds nothing to mend when a proxy provides TLS', async () => {
    using _trusted = trustCertificates(trusted.certificate);
    const args = ['--base-url', proxy.url, '--trusted-proxies', '127.0.0.1', '--database', server.database];
    const port = ['--host', '127.0.0.1', '--port', `${server.port}`];
    const { code, stdout } = await watchword(['doctor', ...args, ...port]);
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /^✓ tls: the certificate is valid for localhost and for \d+ more days; TLSv1\.[23]$/m,
    );
    assert.match(stdout, /^✓ forwarding: X-Forwarded-Proto is https, as in the base URL$/m);
    assert.match(
      stdout,
      /^✓ cookies: the cookies of localhost:\d+ have Path, SameSite, Secure and HttpOnly$/m,
    );
    assert.doesNotMatch(stdout, /^[!✗]/m);
  });

  it('finds out that a proxy removes Secure, and the header that keeps browsers at https', async () => {
    using _trusted = trustCertificates(trusted.certificate);
    proxy.fault = {
      answer: (headers) => {
        delete headers['strict-transport-security'];
        const [cookie = ''] = [headers['set-cookie'] ?? ''].flat();
        headers['set-cookie'] = String(cookie).replace('; Secure', '');
      },
    };
    const { stdout } = await watchword(['doctor', '--url', proxy.url]);
    proxy.fault = {};
    assert.match(stdout, /^✗ cookies: the login page has no strict-transport-security$/m);
    assert.match(stdout, /^✗ cookies: the cookie __Host-watchword_flow arrives changed: Secure is absent$/m);
  });

  const certificates = {
    'has expired': [
      testKey('localhost', { notAfter: new Date('2021-01-01') }),
      /^tls broken: .* to Jan {2}1 00:00:00 2021 GMT.* CERT_HAS_EXPIRED -> renew the certificate/,
    ],
    'is not valid yet': [
      testKey('localhost', { notBefore: new Date('2048-01-01') }),
      /CERT_NOT_YET_VALID -> check the clock of this machine/,
    ],
    'is for another name': [
      testKey('other.example'),
      /^tls broken: the certificate is for .* -> install a certificate for localhost/,
    ],
  } as const;

  for (const [what, [key, says]] of Object.entries(certificates)) {
    it(`finds out that a certificate ${what}, and stops there`, async () => {
      using _trusted = trustCertificates(key.certificate);
      await using site = await startSite((_, response) => response.end(), key);
      const { code, firstBreak, count, said } = await examined(site.url.replace('127.0.0.1', 'localhost'));
      assert.deepEqual([code, firstBreak, count], [1, 'tls', 1]);
      assert.match(said, says);
      assert.equal(site.requests.length, 0);
    });
  }

  it('finds out that clients do not trust the authority of a certificate', async () => {
    await using site = await startSite((_, response) => response.end(), testKey('localhost'));
    const { firstBreak, said } = await examined(site.url.replace('127.0.0.1', 'localhost'));
    assert.equal(firstBreak, 'tls');
    assert.match(said, /DEPTH_ZERO_SELF_SIGNED_CERT -> .*NODE_EXTRA_CA_CERTS/);
  });

  it('warns of a certificate that expires within two weeks', async () => {
    const key = testKey('localhost', { notAfter: new Date(Date.now() + 10.5 * day) });
    using _trusted = trustCertificates(key.certificate);
    await using site = await startSite((_, response) => response.end(), key);
    const { firstBreak, said } = await examined(site.url.replace('127.0.0.1', 'localhost'));
    assert.equal(firstBreak, 'address');
    assert.match(said, /^tls warning: .* for 10 more days; .* -> renew it/);
  });

  slowTest('finds out that a server has no TLS, or never answers', async () => {
    await using plain = await startSite((_, response) => response.end());
    const { said } = await examined(plain.url.replace('http:', 'https:'));
    assert.match(
      said,
      /^tls broken: TLS with 127\.0\.0\.1:\d+ failed: \w+ -> check that the proxy provides TLS/,
    );
    const outside = await examined('http://0.0.0.0:1');
    assert.match(
      outside.said,
      /^tls broken: http:\/\/0\.0\.0\.0:1 has no TLS: passwords and tokens can be read/,
    );
  });

  slowTest('does not wait for a handshake that never comes', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    assert.ok(typeof address === 'object' && address !== null);
    const patient = { baseUrl: `https://127.0.0.1:${address.port}`, clock: systemClock };
    const [finding] = await tlsFindings(patient, 50);
    silent.close();
    assert.match(String(finding?.found), /^TLS with .* failed: no TLS handshake within 0\.05 s$/);
  });
});
