import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { rounds } from '@watchword/testkit';
import { HeadReader } from '../../src/http/connections/request-head.ts';

const read = (text: string) => new HeadReader().read(Buffer.from(text, 'latin1'));
const get = 'GET /x HTTP/1.1\r\nHost: a\r\n';

describe('the head of a request in the usual form', () => {
  it('is read with its target, its fields in lower case, and the length of its body', () => {
    const head = 'POST /x?y=%20#z HTTP/1.1\r\nHost: a\r\nX-Own:b c:d\r\nEMPTY:\r\ncontent-length: 4\r\n\r\n';
    assert.deepEqual(read(`${head}body`), {
      method: 'POST',
      target: '/x?y=%20#z',
      headers: { host: 'a', 'x-own': 'b c:d', empty: '', 'content-length': '4' },
      size: head.length,
      bodyLength: 4,
    });
  });

  it('can keep its connection open', () => {
    for (const value of ['keep-alive', 'Keep-Alive']) assert.ok(read(`${get}Connection: ${value}\r\n\r\n`));
  });
});

describe('a head after others on its connection', () => {
  const body = 'grant_type=client_credentials';
  const post = (target: string, value: string, sent = body) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nX: ${value}\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`;

  it('is read as if it were the first', () => {
    const same = post('/x', 'a');
    const others = [
      post('/y', 'a'),
      post('/x', 'b'),
      post('/x', 'a', ''),
      same.replace('Host', 'host'),
      post(`/${'x'.repeat(8150)}`, 'a'),
      same.replace('\r\n\r\n', '\r\n\r '),
      `${get}\r\n`,
      get,
    ];
    for (const other of others) {
      const reader = new HeadReader();
      for (const text of [same, same, same, other, other, same, other, same]) {
        const bytes = Buffer.from(text);
        assert.deepEqual(reader.read(bytes), new HeadReader().read(bytes), text);
      }
    }
  });

  it('is read as if it were the first, also if it differs in any place', () => {
    for (let round = 0; round < rounds(300, 30_000); round += 1) {
      const reader = new HeadReader();
      const first = randomRequest();
      const values = withOtherValues(first);
      const later = [first, first, changedRandomly(first), values, first, changedRandomly(values), first];
      for (const text of [first, ...later]) {
        const bytes = Buffer.from(text, 'latin1');
        assert.deepEqual(reader.read(bytes), new HeadReader().read(bytes), JSON.stringify([first, text]));
      }
    }
  });

  it('is read with values of its own behind a proxy, whose clients differ', () => {
    const reader = new HeadReader();
    const sent = (user: string, from: string) =>
      Buffer.from(`${get}Authorization: Bearer ${user}\r\nAccept: */*\r\nX-Forwarded-For: ${from}\r\n\r\n`);
    for (const [user, from] of ['ab', 'ab', 'cd', 'cb', 'ad', 'efg', 'ab', 'cd'].map((each) => [...each])) {
      assert.deepEqual(reader.read(sent(String(user), String(from)))?.headers, {
        host: 'a',
        authorization: `Bearer ${user}`,
        accept: '*/*',
        'x-forwarded-for': from,
      });
    }
  });

  it('does not inherit a length that its method cannot have', () => {
    const reader = new HeadReader();
    for (const _ of [1, 2, 3]) assert.ok(reader.read(Buffer.from(post('/x', 'a'))));
    for (const method of ['GET', 'HEAD']) {
      assert.equal(reader.read(Buffer.from(post('/x', 'a').replace('POST', method))), undefined);
    }
  });
});

describe('a head is left to node:http', () => {
  for (const [name, text] of [
    ['when it is not complete', get],
    ['when its last line break is not complete', `${get}\r`],
    ['without Host', 'GET /x HTTP/1.1\r\nAccept: a\r\n\r\n'],
    ['without fields', 'GET /x HTTP/1.1\r\n\r\n'],
    ['of another version', 'GET /x HTTP/1.0\r\nHost: a\r\n\r\n'],
    ['of a request without a version', 'GET /x\r\nHost: a\r\n\r\n'],
    ['with another method', 'PURGE /x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a method in lower case', 'get /x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a target in absolute form', 'GET http://a/x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with an asterisk as its target', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with two spaces before its target', 'GET  /x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with two spaces behind its target', 'GET /x  HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a space in its target', 'GET /x y HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a line break in its target', 'GET /x\r\ny HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with an empty line before it', `\r\n${get}\r\n`],
    ['with a line feed alone', `${get}X: a\nY: b\r\n\r\n`],
    ['with a carriage return alone', `${get}X: a\rY: b\r\n\r\n`],
    ['with a field on two lines', `${get}X: a\r\n b\r\n\r\n`],
    ['with a space before a colon', `${get}X : a\r\n\r\n`],
    ['with a line without a colon', `${get}X\r\n\r\n`],
    ['with an empty name', `${get}: a\r\n\r\n`],
    ['with a name that is no usual one', `${get}X_Y: a\r\n\r\n`],
    ['with a name that objects have', `${get}__proto__: a\r\n\r\n`],
    ['with a name that objects inherit', `${get}Constructor: a\r\n\r\n`],
    ['with spaces around a value', `${get}X:  a\r\n\r\n`],
    ['with a space behind a value', `${get}X: a \r\n\r\n`],
    ['with a tab', `${get}X:\ta\r\n\r\n`],
    ['with a null character', `${get}X: a\0\r\n\r\n`],
    ['with another control character', `${get}X: a\x1fb\r\n\r\n`],
    ['with a delete character', `${get}X: a\x7fb\r\n\r\n`],
    ['with a byte above ASCII', `${get}X: \xe9\r\n\r\n`],
    ['with a field twice', `${get}X: a\r\nx: b\r\n\r\n`],
    ['with Host twice', `${get}host: b\r\n\r\n`],
    ['with Transfer-Encoding', `${get}Transfer-Encoding: chunked\r\n\r\n`],
    ['with Expect', `${get}Expect: 100-continue\r\n\r\n`],
    ['with Trailer', `${get}Trailer: X\r\n\r\n`],
    ['with TE', `${get}TE: trailers\r\n\r\n`],
    ['with HTTP2-Settings', `${get}HTTP2-Settings: a\r\n\r\n`],
    ['with Upgrade', `${get}Upgrade: h2c\r\n\r\n`],
    ['with Proxy-Connection', `${get}Proxy-Connection: close\r\n\r\n`],
    ['with Set-Cookie', `${get}Set-Cookie: a=b\r\n\r\n`],
    ['that closes the connection', `${get}Connection: close\r\n\r\n`],
    ['with several connection options', `${get}Connection: keep-alive, X\r\n\r\n`],
    ['of GET with a length', `${get}Content-Length: 0\r\n\r\n`],
    ['of HEAD with a length', 'HEAD /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'],
    ['with a length of seven digits', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n'],
    ['with a signed length', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: +4\r\n\r\nbody'],
    ['with a hexadecimal length', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0x4\r\n\r\nbody'],
    ['with two lengths in one field', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4, 4\r\n\r\nbody'],
    ['with an empty length', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n'],
    ['over 8 KiB', `${get}X: ${'a'.repeat(8200)}\r\n\r\n`],
    [
      'with more than fifty fields',
      `${get}${Array.from({ length: 50 }, (_, i) => `X-${i}: a\r\n`).join('')}\r\n`,
    ],
  ] as const) {
    it(name, () => assert.equal(read(text), undefined));
  }
});

describe('what is read without node:http', () => {
  let server: Server;
  let received: (message: IncomingMessage, response: ServerResponse) => void;
  before(async () => {
    server = createServer((message, response) => received(message, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => void server.close());

  /** What `node:http` reads of the same bytes; `undefined` if it refuses them, or waits for more. */
  async function readByNode(bytes: Buffer) {
    const { port } = server.address() as AddressInfo;
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    const found = new Promise<unknown>((resolve) => {
      received = async (message, response) => {
        const chunks = await message.toArray().catch(() => []);
        const { method, url: target, headers } = message;
        const body = Buffer.concat(chunks).toString('latin1');
        resolve({ method, target, headers: { ...headers }, body, staysOpen: response.shouldKeepAlive });
        response.end();
        socket.destroy();
      };
      socket.on('close', () => resolve(undefined));
    });
    socket.resume().end(bytes);
    return found;
  }

  it('node:http reads in the same way', async () => {
    let direct = 0;
    for (let round = 0; round < rounds(300, 30_000); round += 1) {
      const bytes = Buffer.from(randomRequest(), 'latin1');
      const head = new HeadReader().read(bytes);
      if (head === undefined || head.size + (head.bodyLength ?? 0) !== bytes.length) continue;
      direct += 1;
      const { method, target, headers } = head;
      const body = bytes.toString('latin1', head.size);
      assert.deepEqual(
        await readByNode(bytes),
        { method, target, headers, body, staysOpen: true },
        JSON.stringify(bytes.toString()),
      );
    }
    assert.ok(direct > 0);
  });
});

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** A request in the usual form, of which random places are changed. */
function randomRequest(): string {
  const body = pick(['', 'a=b', 'a=b\r\n\r\nGET /y HTTP/1.1\r\nHost: z\r\n\r\n']);
  const fields = [
    `Host: ${pick(['a', 'a:80', '', 'a b'])}`,
    pick([
      'Accept: */*',
      'accept:x',
      'Cookie: a=b; c="d"',
      'X-Forwarded-For: 1.2.3.4, ::1',
      'User-Agent: a (b; c) d/1',
    ]),
    pick([`Content-Length: ${body.length}`, `content-length:${body.length}`, 'Origin: null']),
    pick([
      'Connection: keep-alive',
      'Proxy-Connection: close',
      'Set-Cookie: a=b',
      'X-a: b:c',
      'Authorization: Basic YTpi',
    ]),
  ];
  const target = pick(['/', '/x', '/x?y=z#f', '/%00', '/x"<>\\^`{|}', '//x', '/x?a=b&c[]=d']);
  let text = `${pick(['GET', 'POST', 'DELETE', 'HEAD'])} ${target} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`;
  for (let change = pick([0, 0, 1, 1, 2]); change > 0; change -= 1) text = changedRandomly(text);
  return text;
}

/** The same names with other values, of which some are read by `node:http` only. */
function withOtherValues(text: string): string {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line, ...fields] = head.split('\r\n');
  const changed = fields.map((field) => {
    const [name = '', value = ''] = field.split(/:(.*)/s);
    return `${name}:${pick([value, ` ${pick(['close', '4', '1234567', 'a b', 'a ', '', ' a', 'é'])}`])}`;
  });
  return [[line, ...changed].join('\r\n'), ...rest].join('\r\n\r\n');
}

function changedRandomly(text: string): string {
  const at = Math.floor(Math.random() * text.length);
  const put = pick(['', ' ', '\t', '\r', '\n', '\r\n', ':', '\0', '\xff', 'x', '#', ',']);
  return text.slice(0, at) + put + text.slice(at + pick([0, 1]));
}
