import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type FetchLimits, fetchDocument } from '../src/fetch/fetch-document.ts';
import { isPublicAddress } from '../src/fetch/public-address.ts';
import { startSite } from './support/metadata.ts';

const limits: FetchLimits = {
  maxBytes: 1000,
  answerTimeout: 30_000,
  timeout: 30_000,
  allowPrivateAddresses: false,
};
const lax: FetchLimits = { ...limits, allowPrivateAddresses: true };

async function textOf(
  url: string,
  options = lax,
  resolve?: (host: string) => Promise<LookupAddress[]>,
): Promise<string> {
  const { content } = await fetchDocument(url, options, undefined, resolve);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('SS-1: an address of metadata', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[2001:db8::1]',
  ]) {
    it(`inside is not asked: ${host}`, async () => {
      await assert.rejects(textOf(`http://${host}:1/x`, limits), /no address of the public internet/);
    });
  }

  it('inside is not asked by a name either, with or without a dot at its end', async () => {
    await assert.rejects(textOf('http://localhost:1/x', limits), /no address of the public internet/);
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    for (const host of ['localhost.', 'LOCALHOST', 'inside.example']) {
      await assert.rejects(
        textOf(`http://${host}:1/x`, limits, resolve),
        /no address of the public internet/,
      );
    }
  });

  it('is not asked when one of several addresses of its name is inside', async () => {
    const resolve = async () => [
      { address: '198.51.100.7', family: 4 },
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    await assert.rejects(
      textOf('https://metadata.example/', limits, resolve),
      /no address of the public internet/,
    );
  });

  it('is resolved once, and what was checked is what is connected to', async () => {
    await using site = await startSite((_request, response) => response.end('here'));
    let asked = 0;
    const rebinding = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const url = site.url.replace('127.0.0.1', 'rebinding.example');
    assert.equal(await textOf(url, lax, rebinding), 'here');
    assert.equal(asked, 1);
    assert.equal(site.requests[0]?.headers.host, new URL(url).host);
  });

  it('that redirects is not followed', async () => {
    await using site = await startSite((_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    await assert.rejects(textOf(site.url), /expected status 200, got 302/);
  });

  it('that answers nothing in time is given up', async () => {
    await using site = await startSite(() => {});
    const started = { ...lax, answerTimeout: 50 };
    await assert.rejects(textOf(site.url, started), /an answer did not come within 0.05 s/);
  });

  it('that never comes to an end is given up', async () => {
    await using site = await startSite((_request, response) => void response.write('begin'));
    await assert.rejects(textOf(site.url, { ...lax, timeout: 100 }), /all of it did not come within 0.1 s/);
  });

  it('whose name is not resolved in time is given up', async () => {
    const never = () => new Promise<LookupAddress[]>(() => {});
    await assert.rejects(
      textOf('https://slow.example', { ...lax, answerTimeout: 50 }, never),
      /an answer did not come/,
    );
  });

  it('that sends too much is given up, said or unsaid, packed or not', async () => {
    for (const answer of ['said', 'unsaid', 'packed'] as const) {
      await using site = await startSite((_request, response) => {
        if (answer === 'said') response.writeHead(200, { 'content-length': 1001 });
        if (answer === 'packed') response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(answer === 'packed' ? gzipSync(Buffer.alloc(10_000_000)) : Buffer.alloc(1001));
      });
      await assert.rejects(textOf(site.url), /it has more than 1000 bytes/);
    }
  });

  it('that cannot be reached is told by its reason, without the rest', async () => {
    await assert.rejects(
      textOf('http://127.0.0.1:1/secret'),
      /^FetchFault: it cannot be fetched: ECONNREFUSED$/,
    );
    const nowhere = async () => [];
    await assert.rejects(textOf('http://nowhere.example', lax, nowhere), /nowhere.example has no address/);
  });

  it('is asked whether anything has changed', async () => {
    await using site = await startSite((request, response) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"', 'content-encoding': 'gzip' }).end(gzipSync('packed'));
    });
    const { content = [], etag } = await fetchDocument(site.url, lax);
    for await (const piece of content) assert.equal(Buffer.from(piece).toString(), 'packed');
    assert.equal(etag, '"1"');
    assert.deepEqual(await fetchDocument(site.url, lax, etag), { content: undefined, etag });
  });
});

describe('an address of the public internet', () => {
  for (const [address, isPublic] of [
    ['93.184.215.14', true],
    ['100.128.0.1', true],
    ['172.32.0.1', true],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
    ['2001:67c:2e8::1', true],
    ['::ffff:93.184.215.14', false],
    ['203.0.113.9', false],
    ['no address', false],
    ['', false],
  ] as const) {
    it(`${address} ${isPublic ? 'is one' : 'is none'}`, () =>
      assert.equal(isPublicAddress(address), isPublic));
  }
});
