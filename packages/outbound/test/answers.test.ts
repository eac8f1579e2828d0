import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createOutboundFetch, type OutboundAnswer } from '@watchword/outbound';
import { startSite, type TestSite } from '@watchword/testkit/site';
import { assertFails } from './support/failure.ts';

const outboundFetch = createOutboundFetch({ allowHttp: true, allowPrivateAddresses: true });
const beginAndWait: RequestListener = (_request, response) => void response.write('begin');

/** Waits until every connection of the site has been closed. */
async function allClosed(site: TestSite): Promise<void> {
  await Promise.all(site.requests.map(({ socket }) => socket.closed || once(socket, 'close')));
}

/** An answer that has begun, with the shortest time limit in which it could. */
async function begun(url: string, timeout = 100): Promise<OutboundAnswer> {
  try {
    return await outboundFetch(url, { timeout });
  } catch (error) {
    if (timeout > 10_000) throw error;
    return begun(url, timeout * 4);
  }
}

describe('an answer', () => {
  it('has its status, its headers and its body, an error too', async () => {
    await using site = await startSite((_request, response) =>
      response.writeHead(404, { etag: '"1"' }).end('{"error":"not_found"}'),
    );
    const answer = await outboundFetch(site.url);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.etag, '"1"');
    assert.deepEqual(await answer.json(), { error: 'not_found' });
  });

  it('is unpacked', async () => {
    await using site = await startSite((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of (await outboundFetch(site.url)).content) pieces.push(piece);
    assert.equal(Buffer.concat(pieces).toString(), 'packed');
    assert.equal(site.requests[0]?.headers['accept-encoding'], 'gzip');
  });

  it('that is not what it announces is an error', async () => {
    const packed = gzipSync('packed'.repeat(1000));
    for (const [encoding, body, words] of [
      ['gzip', 'not packed', /cannot be read: Z_DATA_ERROR/],
      ['gzip', packed.subarray(0, -9), /cannot be read: Z_BUF_ERROR/],
      ['br', 'x', /a content encoding that the request does not accept/],
      ['identity', '{"secret', /is not JSON$/],
    ] as const) {
      await using site = await startSite((_request, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(body),
      );
      const read = async () => (await outboundFetch(site.url)).json();
      await assertFails(read(), 'malformed-answer', words);
    }
    await using site = await startSite((request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await assertFails(outboundFetch(site.url), 'malformed-answer', /cannot be read: HPE_/);
  });

  it('with more bytes than the caller accepts is cancelled: announced, not announced, or compressed', async () => {
    for (const answer of ['announced', 'not announced', 'packed'] as const) {
      await using site = await startSite((_request, response) => {
        if (answer === 'announced') response.writeHead(200, { 'content-length': 1001 });
        if (answer === 'packed') response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(answer === 'packed' ? gzipSync(Buffer.alloc(10_000_000)) : Buffer.alloc(1001));
      });
      const read = async () => (await outboundFetch(site.url, { maxBytes: 1000 })).bytes();
      await assertFails(read(), 'too-large', /^the answer of 127\.0\.0\.1:\d+ has more than 1000 bytes$/);
      await allClosed(site);
    }
  });

  it('that does not begin in time is cancelled', async () => {
    await using site = await startSite(() => {});
    await assertFails(
      outboundFetch(site.url, { answerTimeout: 50 }),
      'timeout',
      /^127\.0\.0\.1:\d+ did not answer within 0\.05 s$/,
    );
    await allClosed(site);
  });

  it('that does not end in time is cancelled, also when the caller does not read it', async () => {
    await using site = await startSite(beginAndWait);
    const answer = await begun(site.url);
    await assertFails(answer.text(), 'timeout', /did not send its whole answer within \d+(\.\d)? s/);
    await begun(site.url);
    await allClosed(site);
  });

  it('is cancelled when the name is not resolved in time', () =>
    assertFails(
      createOutboundFetch({ resolve: () => new Promise(() => {}) })('https://slow.example', {
        answerTimeout: 50,
      }),
      'timeout',
      /^slow\.example did not answer/,
    ));

  it('of which the connection is lost is an error, packed or not', async () => {
    for (const encoding of ['identity', 'gzip']) {
      await using site = await startSite((request, response) => {
        response.writeHead(200, { 'content-encoding': encoding, 'content-length': 1000 });
        response.write(gzipSync('begin').subarray(0, 12), () => request.socket.destroy());
      });
      const read = async () => (await outboundFetch(site.url)).bytes();
      await assertFails(read(), 'unreachable', /failed: ECONNRESET$/);
    }
  });

  it('that is closed, or not read to its end, leaves no connection open', async () => {
    await using site = await startSite(beginAndWait);
    (await outboundFetch(site.url)).close();
    {
      using answer = await outboundFetch(site.url);
      assert.equal(answer.status, 200);
    }
    for await (const _piece of (await outboundFetch(site.url)).content) break;
    await allClosed(site);
    assert.equal(await site.connections(), 0);
  });
});
