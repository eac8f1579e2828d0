import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { type TcpProxy, tcpProxy } from '../src/tcp-proxy.ts';

/** A server that answers each byte with a byte, and a proxy before it. */
async function echo() {
  let received = '';
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data;
      socket.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await tcpProxy({ port: (server.address() as AddressInfo).port });
  return {
    proxy,
    received: () => received,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

async function connected({ port }: TcpProxy): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  return socket;
}

/** What the socket receives until it has `length` characters, or until it is cut. */
async function read(socket: Socket, length = Number.POSITIVE_INFINITY): Promise<string> {
  let text = '';
  const enough = Promise.withResolvers<string>();
  socket.on('data', (data) => {
    text += data;
    if (text.length >= length) enough.resolve(text);
  });
  socket.on('error', () => {});
  socket.on('close', () => enough.resolve(text));
  return enough.promise;
}

describe('the TCP proxy', () => {
  it('forwards what both sides send', async () => {
    await using site = await echo();
    const socket = await connected(site.proxy);
    socket.write('hello');
    assert.equal(await read(socket, 5), 'hello');
    assert.equal(site.proxy.connections, 1);
    socket.destroy();
  });

  it('names itself in a URL, and keeps the rest of it', async () => {
    await using site = await echo();
    assert.equal(
      site.proxy.url('postgres://user:pass@127.0.0.1:5432/base?sslmode=disable'),
      `postgres://user:pass@127.0.0.1:${site.proxy.port}/base?sslmode=disable`,
    );
  });

  it('cuts connections with a reset, and accepts new ones', async () => {
    await using site = await echo();
    const socket = await connected(site.proxy);
    const failed = once(socket, 'error');
    socket.write('a');
    await once(socket, 'data');
    site.proxy.cut();
    assert.equal((await failed)[0].code, 'ECONNRESET');
    const next = await connected(site.proxy);
    next.write('b');
    assert.equal(await read(next, 1), 'b');
    next.destroy();
  });

  it('cuts connections after a number of bytes', async () => {
    await using site = await echo();
    site.proxy.cutAfter('answers', 3);
    const socket = await connected(site.proxy);
    socket.write('hello');
    assert.equal(await read(socket), 'hel');
    assert.equal(site.received(), 'hello');
  });

  it('cuts before a part that matches, and forwards the parts before it', async () => {
    await using site = await echo();
    const cut = site.proxy.cutBefore('answers', /^commit$/);
    const socket = await connected(site.proxy);
    socket.write('begin');
    assert.equal(await read(socket, 5), 'begin');
    socket.write('commit');
    await cut;
    assert.equal(await read(socket), '');
    assert.equal(site.received(), 'begincommit');
    const next = await connected(site.proxy);
    next.write('commit');
    assert.equal(await read(next, 6), 'commit');
    next.destroy();
  });

  it('can let a request arrive and hold its answer, which a cut then loses', async () => {
    await using site = await echo();
    site.proxy.hold('answers');
    const socket = await connected(site.proxy);
    socket.write('commit');
    await site.proxy.held('answers');
    assert.equal(site.received(), 'commit');
    site.proxy.cut();
    assert.equal(await read(socket), '');
    site.proxy.release();
  });

  it('forwards what it held after the release, in order', async () => {
    await using site = await echo();
    site.proxy.hold('requests');
    const socket = await connected(site.proxy);
    socket.write('a');
    await site.proxy.held('requests');
    socket.write('b');
    site.proxy.release();
    assert.equal(await read(socket, 2), 'ab');
    socket.destroy();
  });

  it('delays what it forwards', async () => {
    await using site = await echo();
    site.proxy.delay(50);
    const socket = await connected(site.proxy);
    const start = performance.now();
    socket.write('a');
    assert.equal(await read(socket, 1), 'a');
    // A timer can end a millisecond early.
    assert.ok(performance.now() - start >= 98);
    socket.destroy();
  });

  it('refuses connections until it accepts them again', async () => {
    await using site = await echo();
    site.proxy.refuse();
    const socket = connect(site.proxy.port, '127.0.0.1');
    assert.equal(await read(socket), '');
    site.proxy.accept();
    const next = await connected(site.proxy);
    next.write('a');
    assert.equal(await read(next, 1), 'a');
    next.destroy();
  });
});
