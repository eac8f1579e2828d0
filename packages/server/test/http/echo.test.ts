import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KeyRing } from '@watchword/protocol';
import { ask } from '@watchword/server-testkit/clients/ask';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sealEchoTicket } from '../../src/features/echo.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { assertError } from '../support/error-answers.ts';

describe('POST /oauth2/echo', () => {
  let server: TestServer;
  let sealer: KeyRing;
  before(async () => {
    server = await startServer({ trustedProxies: '127.0.0.1' });
    const { sealingKeys } = server.service.store;
    sealer = await KeyRing.openExisting({ sealingKeys, clock: systemClock, random: systemRandom });
  });
  after(() => server[Symbol.asyncDispose]());

  const ticketAt = (time: number, padding?: number) =>
    sealEchoTicket(sealer, { nonce: 'n-1', time, ...(padding !== undefined && { padding }) });

  it('shows a caller with a ticket how the request arrived', async () => {
    const answer = await ask(`${server.baseUrl}/oauth2/echo?${'x'.repeat(15_000)}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': '192.0.2.7',
        'x-forwarded-proto': 'https',
        cookie: `a=${'b'.repeat(15_000)}`,
      },
      body: new URLSearchParams({ ticket: ticketAt(Date.now(), 9000) }).toString(),
    });
    assert.equal(answer.status, 200);
    const { time, version, ...seen } = answer.json;
    assert.ok(Math.abs(time - Date.now()) < 60_000 && version !== '');
    assert.deepEqual(seen, {
      nonce: 'n-1',
      base_url: server.service.baseUrl,
      source: '192.0.2.7',
      host: new URL(server.baseUrl).host,
      forwarded_for: '192.0.2.7',
      forwarded_proto: 'https',
      forwarded_host: null,
      target_length: 15_013,
      cookie_length: 15_002,
    });
    assert.equal(answer.headers.get('x-padding')?.length, 9000);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('shows nothing to a caller without a ticket, or with one of another purpose, key or day', async () => {
    const other = ticketAt(Date.now()).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const elsewhere = sealer.seal('login', { nonce: 'n-1', time: Date.now() });
    for (const ticket of ['', 'x', other, elsewhere, ticketAt(Date.now() - 86_500_000)]) {
      const answer = await server.post('/oauth2/echo', { ticket });
      assertError(answer, 400, 'invalid_request');
      assert.doesNotMatch(answer.text, /127\.0\.0\.1|nonce/);
    }
    assertError(await server.get('/oauth2/echo'), 405, 'invalid_request');
  });
});
