import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, on } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { basic, demoClient, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { Ports } from '../../src/http/connections/ports.ts';
import type { ReceivedRequest, RequestAnswerer } from '../../src/http/connections/received-request.ts';
import { WholeRequest } from '../../src/http/connections/whole-request.ts';
import { Connection } from '../support/connection.ts';

describe('a request that arrives whole has the same answer as from node:http', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  // Fields with another value in each answer.
  const comparable = (head: string) =>
    head
      .replace(/^(?:date|x-request-id|set-cookie): .*\r\n/gim, '')
      .split('\r\n')
      .sort();

  for (const [name, method, path, fields, body] of [
    ['for JSON', 'GET', '/healthz', [], ''],
    ['for HEAD', 'HEAD', '/healthz', [], ''],
    ['for an unknown address', 'GET', '/nothing', [], ''],
    ['for a page', 'GET', '/', ['Accept: text/html', 'Accept-Language: de'], ''],
    ['for an error page', 'GET', '/authorize?client_id=nobody', ['Accept: text/html'], ''],
    ['for a redirect', 'GET', '/admin/docs', [], ''],
    [
      'for metadata, which can be cached',
      'GET',
      '/.well-known/openid-configuration',
      ['Origin: https://a'],
      '',
    ],
    ['for another method', 'DELETE', '/healthz', [], ''],
    ['for a preflight request', 'OPTIONS', '/oauth2/token', ['Origin: https://a.example'], ''],
    ['for a challenge', 'POST', '/v1/tokeninfo', [], 'access_token=x'],
    ['for a body of another type', 'POST', '/oauth2/token', ['Content-Type: text/plain'], 'x'],
    ['for an empty body', 'POST', '/oauth2/token', [], ''],
    ['for a malformed target', 'GET', '/%zz', [], ''],
    ['for a URI that is too long', 'GET', `/healthz?${'a'.repeat(8000)}`, [], ''],
    [
      'for two methods of authentication',
      'POST',
      '/oauth2/token',
      [`Authorization: ${basic(demoClient)}`],
      'client_id=x&client_secret=y',
    ],
  ] as const) {
    it(name, async () => {
      const length = body === '' && method !== 'POST' ? [] : [`Content-Length: ${body.length}`];
      const ask = async (...more: string[]) => {
        using connection = await Connection.open(server.port);
        const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', ...fields, ...length, ...more];
        connection.send(`${lines.join('\r\n')}\r\n\r\n${body}`);
        return await connection.answer(method);
      };
      const direct = await ask();
      // A name with an underscore is not usual.
      const other = await ask('X_Y: z');
      assert.equal(direct.status, other.status);
      assert.deepEqual(comparable(direct.head), comparable(other.head));
      assert.equal(direct.body.replace(/[0-9a-f]{10}-\w+/g, ''), other.body.replace(/[0-9a-f]{10}-\w+/g, ''));
    });
  }
});

describe('the setting http.ownReader', () => {
  for (const [value, byNode] of [
    ['true', 0],
    ['false', 2],
  ] as const) {
    it(`set to ${value} lets node:http read ${byNode} of two requests of the usual form`, async () => {
      await using server = await startServer({ 'http.ownReader': value });
      using connection = await Connection.open(server.port);
      let read = 0;
      const count = () => (read += 1);
      subscribe('http.server.request.start', count);
      try {
        for (let request = 0; request < 2; request += 1) {
          connection.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
          assert.equal((await connection.answer()).status, 200);
        }
      } finally {
        unsubscribe('http.server.request.start', count);
      }
      assert.equal(read, byNode);
    });
  }
});

const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Serves requests, and notes how each was received. */
async function serve(answer: RequestAnswerer, { requestTimeout = 15, ownReader = true } = {}) {
  const ways: string[] = [];
  const reject = (error: NodeJS.ErrnoException, socket: Socket) => void socket.end(error.code ?? '');
  const ports = new Ports({ requestTimeout, ownReader, reject }, (request) => {
    if (request.target === '/ping') return request.answer({ body: 'pong' }, 'id-1');
    ways.push(request instanceof WholeRequest ? 'whole' : 'streamed');
    answer(request);
  });
  const port = await ports.open(['127.0.0.1'], 0);
  return { ports, port, ways, [Symbol.asyncDispose]: () => ports.close(0) };
}

/** Resolves when the server has read what was sent before, because it answers what arrives later. */
async function ping(port: number): Promise<void> {
  using connection = await Connection.open(port);
  connection.send(post('/ping', ''));
  await connection.answer();
}

/** Requests that the test answers. */
function arrivals() {
  const events = new EventEmitter();
  const requests = on(events, 'request');
  return {
    answerer: (request: ReceivedRequest) => void events.emit('request', request),
    next: async (): Promise<ReceivedRequest> => ((await requests.next()).value as [ReceivedRequest])[0],
  };
}

/** A request that waits for its answer. `over` resolves when it ends. */
async function waitingRequest(port: number, next: () => Promise<ReceivedRequest>) {
  const connection = await Connection.open(port);
  connection.send(post('/1', ''));
  const request = await next();
  return { connection, request, over: new Promise<void>((resolve) => request.whenOver(resolve)) };
}

const echo: RequestAnswerer = (request) =>
  request.readBody(100_000, (_error, body) =>
    request.answer({ body: `${request.target} ${body ?? ''}` }, 'id-1'),
  );

describe('a connection', () => {
  it('answers one whole request after the other without node:http', async () => {
    await using server = await serve(echo);
    using connection = await Connection.open(server.port);
    for (const path of ['/1', '/2', '/3']) {
      connection.send(post(path, 'a'));
      assert.equal((await connection.answer()).body, `${path} a`);
    }
    assert.deepEqual(server.ways, ['whole', 'whole', 'whole']);
  });

  it('is read by node:http alone, also after others, where the operator wants no other reader', async () => {
    await using server = await serve(echo, { ownReader: false });
    using connection = await Connection.open(server.port);
    for (const path of ['/1', '/2']) {
      connection.send(post(path, 'a'));
      assert.equal((await connection.answer()).body, `${path} a`);
    }
    assert.deepEqual(server.ways, ['streamed', 'streamed']);
  });

  for (const [name, pieces] of [
    ['that arrives in pieces', ['POST /a HTTP/1.1\r\nHo', 'st: x\r\nContent-Length: 3\r\n\r\n', 'a', 'bc']],
    ['whose body arrives later', ['POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n', 'abc']],
    ['in chunks', ['POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n']],
  ] as const) {
    it(`gives a request ${name} to node:http with every byte, and each that follows`, async () => {
      await using server = await serve(echo);
      using connection = await Connection.open(server.port);
      connection.send(post('/first', ''));
      await connection.answer();
      for (const piece of pieces) {
        connection.send(piece);
        await ping(server.port);
      }
      assert.equal((await connection.answer()).body, '/a abc');
      connection.send(post('/last', 'd'));
      assert.equal((await connection.answer()).body, '/last d');
      assert.deepEqual(server.ways, ['whole', 'streamed', 'streamed']);
    });
  }

  it('answers bodies of any size up to the limit of the endpoint', async () => {
    await using server = await serve(echo);
    using connection = await Connection.open(server.port);
    for (const size of [1000, 65_536, 90_000]) {
      connection.send(post('/a', 'b'.repeat(size)));
      assert.equal((await connection.answer()).body.length, size + 3);
    }
  });

  it('refuses a body over the limit of the endpoint, also when it is there', async () => {
    await using server = await serve((request) =>
      request.readBody(3, (error) => request.answer({ body: String(error?.message) }, 'id-1')),
    );
    using connection = await Connection.open(server.port);
    connection.send(post('/a', 'abcd'));
    assert.match((await connection.answer()).body, /larger than/);
  });

  it('answers requests that do not wait for answers in their order', async () => {
    await using server = await serve(echo);
    using connection = await Connection.open(server.port);
    connection.send(['/1', '/2', '/3'].map((path) => post(path, 'a')).join(''));
    for (const path of ['/1', '/2', '/3']) assert.equal((await connection.answer()).body, `${path} a`);
  });

  it('reads what came too early when the request before it is answered', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer);
    using connection = await Connection.open(server.port);
    connection.send(post('/1', ''));
    const first = await next();
    connection.send(post('/2', ''));
    await ping(server.port);
    connection.send(post('/3', ''));
    await ping(server.port);
    assert.deepEqual(server.ways, ['whole']);
    first.answer({ body: '1' }, 'id-1');
    for (const path of ['/2', '/3']) {
      const request = await next();
      assert.equal(request.target, path);
      request.answer({ body: path }, 'id-1');
    }
    for (const body of ['1', '/2', '/3']) assert.equal((await connection.answer()).body, body);
  });

  for (const ownReader of [true, false]) {
    const reader = ownReader ? 'its own reader' : 'node:http alone';
    it(`by ${reader} answers one request after the other, and none behind an answer that closes it`, async () => {
      const { answerer, next } = arrivals();
      await using server = await serve(answerer, { ownReader });
      using connection = await Connection.open(server.port);
      connection.send(['/1', '/2', '/3'].map((path) => post(path, 'a')).join(''));
      const first = await next();
      await ping(server.port);
      assert.equal(server.ways.length, 1);
      first.answer({ body: '1' }, 'id-1');
      (await next()).answer({ body: 'last' }, 'id-1', { connection: 'close' });
      for (const body of ['1', 'last']) assert.equal((await connection.answer()).body, body);
      assert.equal(await connection.end(), '');
      assert.equal(server.ways.length, 2);
    });

    it(`by ${reader} ends when more than a hundred requests wait for the answer to another`, async () => {
      const { answerer, next } = arrivals();
      await using server = await serve(answerer, { ownReader });
      using connection = await Connection.open(server.port);
      connection.send(post('/1', '').repeat(102));
      const request = await next();
      await new Promise<void>((resolve) => request.whenOver(resolve));
      assert.equal(await connection.end(), '');
      assert.equal(server.ways.length, 1);
    });
  }

  it('of node:http ends after the same time if its client does not take the answer, but not before there is one', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer, { ownReader: false });
    using connection = await Connection.open(server.port);
    connection.socket.pause();
    connection.send(post('/1', ''));
    const request = await next();
    assert.equal(request.socket.timeout, 73_000);
    const over = new Promise<void>((resolve) => request.whenOver(resolve));
    request.socket.emit('timeout');
    assert.ok(!request.socket.destroyed);
    request.answer({ body: 'a'.repeat(20_000_000) }, 'id-1');
    request.socket.emit('timeout');
    await over;
    assert.ok(!request.isAnswered);
  });

  it('answers a client that sends nothing more, and then closes', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer);
    using connection = await Connection.open(server.port, { allowHalfOpen: true });
    connection.send(post('/1', ''));
    const request = await next();
    connection.socket.end();
    await ping(server.port);
    request.answer({ body: 'here' }, 'id-1');
    assert.equal((await connection.answer()).body, 'here');
    assert.equal(await connection.end(), '');
  });

  it('closes when its client sends nothing more, with or without a request before', async () => {
    await using server = await serve(echo);
    using silent = await Connection.open(server.port, { allowHalfOpen: true });
    using idle = await Connection.open(server.port, { allowHalfOpen: true });
    idle.send(post('/1', ''));
    await idle.answer();
    for (const { socket } of [silent, idle]) socket.end();
    for (const connection of [silent, idle]) assert.equal(await connection.end(), '');
  });

  it('answers what came too early, also when the client sends nothing more', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve((request) =>
      request.target === '/2' ? echo(request) : answerer(request),
    );
    using connection = await Connection.open(server.port, { allowHalfOpen: true });
    connection.send(post('/1', ''));
    const first = await next();
    connection.send('GET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    await ping(server.port);
    connection.socket.end();
    await ping(server.port);
    first.answer({ body: '1' }, 'id-1');
    for (const body of ['1', '/2 ']) assert.equal((await connection.answer()).body, body);
    assert.equal(await connection.end(), '');
  });

  it('does not belong to the trace of the request before', async () => {
    const trace = new AsyncLocalStorage<string>();
    const { answerer, next } = arrivals();
    const traces: unknown[] = [];
    await using server = await serve((request) => {
      traces.push(trace.getStore());
      answerer(request);
    });
    using connection = await Connection.open(server.port);
    connection.send(post('/1', ''));
    const first = await next();
    connection.send(`${post('/2', '')}no request\r\n\r\n`);
    await ping(server.port);
    trace.run('of the first', () => first.answer({ body: '1' }, 'id-1'));
    (await next()).answer({ body: '2' }, 'id-1');
    await connection.end();
    assert.deepEqual(server.ways, ['whole', 'streamed']);
    assert.deepEqual(traces, [undefined, undefined]);
  });

  it('of a client that goes away ends its request, which is not answered', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer);
    const { connection, request, over } = await waitingRequest(server.port, next);
    connection.socket.resetAndDestroy();
    await over;
    assert.ok(!request.isAnswered);
    request.answer({ body: 'too late' }, 'id-1');
    assert.ok(!request.isAnswered);
  });

  it('has not answered a client that is away when the answer is written', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer);
    const { connection, request, over } = await waitingRequest(server.port, next);
    // The operating system knows it now, and the server when it writes.
    connection.socket.resetAndDestroy();
    request.answer({ body: 'too late' }, 'id-1');
    await over;
    assert.ok(!request.isAnswered);
  });

  it('reads nothing behind a request whose answer closes it', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer);
    using connection = await Connection.open(server.port);
    connection.send(post('/1', ''));
    const request = await next();
    connection.send(post('/2', ''));
    await ping(server.port);
    request.answer({ body: 'last' }, 'id-1', { connection: 'close' });
    const { head, body } = await connection.answer();
    assert.match(head, /^connection: close\r$/im);
    assert.doesNotMatch(head, /keep-alive/i);
    assert.equal(body, 'last');
    assert.equal(await connection.end(), '');
    assert.deepEqual(server.ways, ['whole']);
  });

  it('is complete for a client that reads slowly', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer);
    using connection = await Connection.open(server.port);
    connection.socket.pause();
    connection.send(post('/1', ''));
    const request = await next();
    const over = new Promise<void>((resolve) => request.whenOver(resolve));
    const body = 'a'.repeat(20_000_000);
    request.answer({ body }, 'id-1');
    assert.ok(!request.isAnswered);
    assert.equal((await connection.answer()).body.length, body.length);
    await over;
    assert.ok(request.isAnswered);
  });

  it('gives a client more time for its answer than it had for its request', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer, { requestTimeout: 0.1 });
    using slow = await Connection.open(server.port);
    slow.socket.pause();
    slow.send(post('/1', ''));
    const body = 'a'.repeat(20_000_000);
    (await next()).answer({ body }, 'id-1');
    for (let time = 0; time < 3; time += 1) {
      using silent = await Connection.open(server.port);
      await silent.end();
    }
    assert.equal((await slow.answer()).body.length, body.length);
  });

  it('that sends nothing is rejected in time', async () => {
    await using server = await serve(echo, { requestTimeout: 0.1 });
    using connection = await Connection.open(server.port);
    assert.equal(await connection.end(), 'ERR_HTTP_REQUEST_TIMEOUT');
  });

  it('is not ended by the time limit of a request while it is answered', async () => {
    const { answerer, next } = arrivals();
    await using server = await serve(answerer, { requestTimeout: 0.1 });
    using slow = await Connection.open(server.port);
    slow.send(post('/1', ''));
    const request = await next();
    using silent = await Connection.open(server.port);
    await silent.end();
    request.answer({ body: 'here' }, 'id-1');
    assert.equal((await slow.answer()).body, 'here');
  });

  for (const [way, more] of [
    ['whole', ''],
    ['streamed', 'X_Y: z\r\n'],
  ] as const) {
    it(`of a ${way} request ends when the port has closed, but not before the answer`, async () => {
      const { answerer, next } = arrivals();
      await using server = await serve((request) =>
        request.target === '/idle' ? request.answer({}, 'id-1') : answerer(request),
      );
      const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
      using idle = await Connection.open(server.port);
      idle.send(get('/idle'));
      await idle.answer();
      using silent = await Connection.open(server.port);
      using busy = await Connection.open(server.port);
      busy.send(get('/busy'));
      const request = await next();
      await server.ports.close(0);
      assert.equal(await idle.end(), '');
      assert.equal(await silent.end(), '');
      request.answer({ body: 'last' }, 'id-1', { connection: 'close' });
      assert.equal((await busy.answer()).body, 'last');
      assert.equal(await busy.end(), '');
      assert.deepEqual(server.ways, [way, way]);
    });
  }

  it('stays open when the port closes, until its time is over', async () => {
    await using server = await serve(echo);
    using idle = await Connection.open(server.port);
    idle.send(post('/1', ''));
    await idle.answer();
    const closed = server.ports.close(10_000);
    idle.send(post('/2', ''));
    assert.equal((await idle.answer()).body, '/2 ');
    idle.socket.end();
    await closed;
  });
});

describe('an answer to a request that arrived whole', () => {
  it('can have several fields of a name, bytes, and text outside of ASCII', async () => {
    await using server = await serve((request) => {
      const headers = { 'set-cookie': ['a=b', 'c=d'], 'content-type': 'text/plain' };
      if (request.target === '/bytes') request.answer({ headers, body: Buffer.from([0, 255, 128]) }, 'id-1');
      else request.answer({ headers, body: 'é €', caching: 'no-cache' }, 'id-1', { vary: 'Origin' });
    });
    using connection = await Connection.open(server.port);
    connection.send(post('/bytes', ''));
    assert.equal((await connection.answer()).body, '\x00\xff\x80');
    connection.send(post('/text', ''));
    const { head, body } = await connection.answer();
    assert.equal(Buffer.from(body, 'latin1').toString(), 'é €');
    assert.deepEqual(head.match(/^set-cookie: .*(?=\r)/gm), ['set-cookie: a=b', 'set-cookie: c=d']);
    assert.match(head, /^vary: Origin\r$/m);
    assert.match(head, /^cache-control: no-cache\r$/m);
    assert.doesNotMatch(head, /pragma/);
  });

  it('is the only one', async () => {
    const failures: unknown[] = [];
    await using server = await serve((request) => {
      request.answer({ body: request.target }, 'id-1');
      try {
        request.answer({ body: 'again' }, 'id-1');
      } catch (error) {
        failures.push(error);
      }
    });
    using connection = await Connection.open(server.port);
    for (const path of ['/1', '/2']) {
      connection.send(post(path, ''));
      assert.equal((await connection.answer()).body, path);
    }
    assert.equal(failures.length, 2);
  });

  for (const [name, method, answer] of [
    ['to HEAD', 'HEAD', { body: 'a' }],
    ['of status 204', 'GET', { status: 204, body: 'a' }],
    ['of status 304', 'GET', { status: 304, body: 'a' }],
  ] as const) {
    it(`${name} has no body`, async () => {
      await using server = await serve((request) => request.answer(answer, 'id-1', { connection: 'close' }));
      using connection = await Connection.open(server.port);
      connection.send(`${method} /1 HTTP/1.1\r\nHost: x\r\n\r\n`);
      await connection.answer(method);
      assert.equal(await connection.end(), '');
    });
  }

  for (const [name, answer, more, expected] of [
    ['a status', { status: 201, body: {} }, undefined, /^HTTP\/1\.1 201 Created\r\n/],
    ['fields', { headers: { a: 'b' }, body: {} }, undefined, /\r\na: b\r\n/],
    ['more fields', { body: {} }, { a: 'b' }, /\r\na: b\r\n/],
    ['more fields instead of its own', { headers: { a: 'c' }, body: {} }, { a: 'b' }, /\r\na: b\r\n/],
    ['the id of its request', { body: {} }, undefined, /\r\nx-request-id: id-1\r\n/],
    [
      'the id of its request instead of its own field',
      { headers: { 'x-request-id': 'c' }, body: {} },
      undefined,
      /^(?!.*: c\r\n).*\r\nx-request-id: id-1\r\n/s,
    ],
    ['a rule for caches', { caching: 'no-cache', body: {} }, undefined, /\r\ncache-control: no-cache\r\n/],
    ['bytes', { body: Buffer.from('{}') }, undefined, /^(?!.*\r\ncontent-type: ).*$/s],
  ] as const) {
    it(`can have ${name}`, async () => {
      await using server = await serve((request) => request.answer(answer, 'id-1', more));
      using connection = await Connection.open(server.port);
      connection.send(post('/1', ''));
      const { head, body } = await connection.answer();
      assert.match(head, expected);
      assert.equal(body, '{}');
    });
  }

  it('can have a status without a name', async () => {
    await using server = await serve((request) => request.answer({ status: 499, body: 'a' }, 'id-1'));
    using connection = await Connection.open(server.port);
    connection.send(post('/1', ''));
    const { head } = await connection.answer();
    assert.match(head, /^HTTP\/1\.1 499 unknown\r\n/);
  });

  it('has no field that HTTP cannot carry, and then nothing is written', async () => {
    const failures: unknown[] = [];
    await using server = await serve((request) => {
      for (const headers of [
        { a: 'b\r\nc: d' },
        { a: 'b\rc' },
        { a: ['b', 'c\n'] },
        { a: 'b\0' },
        { a: '€' },
        { 'a\r\nb': 'c' },
        { '': 'a' },
      ]) {
        try {
          request.answer({ headers }, 'id-1');
        } catch (error) {
          failures.push(error);
        }
      }
      request.answer({ body: 'right' }, 'id-1');
    });
    using connection = await Connection.open(server.port);
    connection.send(post('/1', ''));
    assert.equal((await connection.answer()).body, 'right');
    assert.equal(failures.length, 7);
    for (const failure of failures) assert.ok(failure instanceof TypeError);
  });
});
