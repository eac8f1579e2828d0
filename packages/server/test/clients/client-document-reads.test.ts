import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createOutboundFetch } from '@watchword/outbound';
import type { ClientDocument } from '@watchword/protocol';
import { OAuthError } from '@watchword/protocol';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import { fetchedDocuments } from '../../src/core/clients/client-documents.ts';
import { ClientDocuments } from '../../src/runtime/client-documents/client-documents.ts';

const document: ClientDocument = {
  name: 'Tool (tool.example)',
  redirectUris: ['https://tool.example/cb'],
  useRefreshTokens: true,
  keys: undefined,
  dpopBoundAccessTokens: false,
  requirePushedAuthorizationRequests: false,
  requireSignedRequestObject: false,
};

/** Documents that are always found, with the URLs that were fetched, and a clock. */
function documents(fetch: () => Promise<{ document: ClientDocument; seconds: number }>) {
  const fetched: string[] = [];
  const clock = { now: 1000 };
  const read = new ClientDocuments(
    (url) => {
      fetched.push(url);
      return fetch();
    },
    () => clock.now,
  );
  return { fetched, clock, read: (url: string, source = '192.0.2.1') => read.read(url, source) };
}

const found = async () => ({ document, seconds: 60 });

/** Seconds to wait, of a read that is refused for its pace. */
async function wait(reading: Promise<unknown>): Promise<number | undefined> {
  const error = await reading.catch((error: unknown) => error);
  if (!(error instanceof OAuthError)) return undefined;
  assert.equal(error.rule, 'client_document_pace');
  return error.retryAfter;
}

describe('the documents of clients in memory', () => {
  it('are read once for a thousand parallel requests, and again when their time is over', async () => {
    const { clock, fetched, read } = documents(found);
    const url = 'https://tool.example/c';
    const all = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => read(url, `192.0.2.${index % 200}`)),
    );
    assert.ok(all.every((each) => each === document));
    assert.deepEqual(fetched, [url]);
    clock.now += 59_999;
    await read(url);
    assert.equal(fetched.length, 1);
    clock.now += 2;
    await read(url);
    assert.equal(fetched.length, 2);
  });

  it('are read again after each failure, which all that wait for it get', async () => {
    const failure = new OAuthError('invalid_request');
    let fails = true;
    const { fetched, read } = documents(() => (fails ? Promise.reject(failure) : found()));
    const url = 'https://tool.example/c';
    const failed = await Promise.allSettled([read(url), read(url)]);
    assert.ok(failed.every((each) => each.status === 'rejected' && each.reason === failure));
    fails = false;
    assert.equal(await read(url), document);
    assert.equal(fetched.length, 2);
  });

  it('are asked for five times a second at one host, whoever asks', async () => {
    const { clock, read } = documents(found);
    const ask = (index: number) => read(`https://tool.example/${index}`, `192.0.2.${index}`);
    for (let index = 0; index < 5; index += 1) assert.equal(await ask(index), document);
    assert.equal(await wait(ask(5)), 1);
    assert.equal(await wait(read('https://TOOL.example:8443/c', '198.51.100.7')), 1);
    assert.equal(await read('https://other.example/c', '198.51.100.8'), document);
    assert.equal(await ask(0), document, 'one that is known does not count');
    clock.now += 200;
    assert.equal(await ask(6), document);
    assert.equal(await wait(ask(7)), 1);
  });

  it('are asked for at a pace of each address, which an IPv6 subscriber has once', async () => {
    const { clock, fetched, read } = documents(found);
    const ask = (index: number, source: string) => read(`https://tool${index}.example/c`, source);
    for (let index = 0; index < 30; index += 1) await ask(index, `2001:db8::${index}`);
    assert.equal(await wait(ask(30, '2001:db8::99')), 2);
    assert.equal(fetched.length, 30);
    assert.equal(await ask(30, '2001:db9::1'), document);
    clock.now += 2000;
    assert.equal(await ask(31, '2001:db8::99'), document);
  });

  it('take no more than some megabytes, however many are good', async () => {
    const redirectUris = [`https://tool.example/${'x'.repeat(90_000)}`];
    const { clock, fetched, read } = documents(async () => ({
      document: { ...document, redirectUris },
      seconds: 86_400,
    }));
    for (let index = 0; index < 40; index += 1) {
      clock.now += 10_000;
      await read(`https://tool${index}.example/c`);
    }
    assert.equal(fetched.length, 40);
    await read('https://tool39.example/c');
    assert.equal(fetched.length, 40, 'the last one is known');
    await read('https://tool0.example/c');
    assert.equal(fetched.length, 41, 'the first one is forgotten');
  });
});

describe('the fetch of the document of a client', () => {
  let site: DocumentSite;
  const logged: unknown[] = [];
  before(async () => {
    site = await startDocumentSite();
  });
  after(() => site[Symbol.asyncDispose]());

  const logger = { info: (line: unknown) => logged.push(line) } as never;
  const clock = { now: () => Date.now() };
  const good = { client_name: 'Tool', redirect_uris: ['https://tool.example/cb'] };
  const fetchedFrom = (policy: Parameters<typeof createOutboundFetch>[0], maxBytes = 5120) =>
    fetchedDocuments({ fetch: createOutboundFetch(policy), clock, logger, maxBytes });
  const read = (url: string, maxBytes?: number) =>
    fetchedFrom({ allowPrivateAddresses: [site.host] }, maxBytes)(url);
  const problem = async (reading: Promise<unknown>) => {
    const error = await reading.catch((error: unknown) => error);
    assert.ok(error instanceof OAuthError, 'expected an error');
    assert.equal(error.rule, 'client_document');
    assert.match(error.message, /^[\x20-\x7e]+$/);
    return error.message;
  };

  it('takes application/json and the types that end with +json, for the time that their headers tell', async () => {
    const types = ['application/json', 'application/json; charset=utf-8', 'Application/client-id+JSON'];
    for (const [index, type] of types.entries()) {
      const url = site.serve(`/good${index}`, good, { 'content-type': type, 'cache-control': 'max-age=90' });
      const { document: read2, seconds } = await read(url);
      assert.deepEqual([read2.redirectUris, seconds], [good.redirect_uris, 90], type);
    }
  });

  const nested = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const body = (text: string, head: object = {}, status = 200) =>
    ((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...head }).end(text);
    }) as Parameters<DocumentSite['answer']>[1];

  for (const [what, listener, expected, maxBytes] of [
    ['of 5,121 bytes', body(`{"a":"${'x'.repeat(5113)}"}`), /more than 5120 bytes/],
    [
      'of any size that comes without a length',
      body('x'.repeat(1_000_000), { 'transfer-encoding': 'chunked' }),
      /bytes/,
    ],
    ['10,000 levels deep', body(nested), /more than 5120 bytes/],
    ['10,000 levels deep where it may be that large', body(nested), /not a JSON object/, 100_000],
    ['with a member 10,000 levels deep', body(`{"a":${nested}}`), /no client_id/, 100_000],
    ['that is no JSON', body('client_id=x'), /not JSON/],
    ['that is empty', body(''), /not JSON/],
    ['of the type text/html', body('{}', { 'content-type': 'text/html' }), /type application\/json/],
    ['of the type text/json', body('{}', { 'content-type': 'text/json' }), /type application\/json/],
    ['without a type', body('{}', { 'content-type': '' }), /type application\/json/],
    ['with status 201', body('{}', {}, 201), /status 201/],
    ['with status 404', body('{}', {}, 404), /status 404/],
    ['with status 500', body('{}', {}, 500), /status 500/],
    ['that redirects', body('', { location: '/good0' }, 302), /redirects/],
    ['that redirects elsewhere', body('', { location: 'https://127.0.0.1/' }, 307), /redirects/],
    ['of another client_id', body('{"client_id":"https://localhost/other"}'), /another client_id/],
    ['that is packed in a way that nobody asked for', body('{}', { 'content-encoding': 'br' }), /not JSON/],
    ['whose server closes the connection', (request) => void request.socket.destroy(), /does not answer/],
  ] as const satisfies readonly (readonly [
    string,
    Parameters<DocumentSite['answer']>[1],
    RegExp,
    number?,
  ])[]) {
    it(`refuses one ${what}`, async () => {
      const url = site.answer(`/bad/${what.replaceAll(/\W/g, '-')}`, listener);
      assert.match(await problem(read(url, maxBytes)), expected);
    });
  }

  it('says nothing to the log but the host and the problem', async () => {
    logged.length = 0;
    await problem(read(site.answer('/with?token=secret', body('{"client_secret":"secret"}'))));
    assert.deepEqual(logged, [{ host: site.host, problem: 'has no client_id' }]);
  });

  it('asks no host in a private network, under whatever name or spelling', async () => {
    const resolve = async (hostname: string) =>
      hostname === 'mixed.example'
        ? [
            { address: '93.184.215.14', family: 4 },
            { address: '10.0.0.1', family: 4 },
          ]
        : [{ address: '127.0.0.1', family: 4 }];
    const fetch = fetchedFrom({ resolve });
    const { port } = new URL(`https://${site.host}`);
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0.0.0.0',
      '10.0.0.1',
      '169.254.169.254',
      '192.168.1.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      'tool.example',
      'mixed.example',
    ]) {
      assert.match(await problem(fetch(`https://${host}:${port}/good0`)), /no public address/, host);
    }
  });

  it('connects to the address that was checked, and does not ask for the name again', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    const resolve = async () => [{ address: answers[Math.min(asked++, 1)] ?? '', family: 4 }];
    const fetch = fetchedFrom({ resolve, allowPrivateAddresses: ['localhost'] });
    const url = site.serve('/rebinding', good);
    assert.equal((await fetch(url)).document.name, `Tool (${site.host})`);
    assert.equal(asked, 1);
  });
});
