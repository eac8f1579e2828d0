import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { AnswerHeads } from '../../src/http/connections/answer-heads.ts';
import { DirectConnection } from '../../src/http/connections/direct-connection.ts';
import type { ReceivedRequest } from '../../src/http/connections/received-request.ts';
import { Connection } from '../support/connection.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Serves connections that end after a tenth of a second in which nothing happens. */
async function serve(answer: (request: ReceivedRequest) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    new DirectConnection(socket, {
      answer,
      heads: new AnswerHeads(1),
      requestTimeout: 60_000,
      keepAliveTimeout: 100,
      handOver: () => assert.fail('each request has the usual form'),
      reject: () => assert.fail('each connection has sent a request'),
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a connection on which nothing happens', () => {
  it('ends without a word after its last answer', async () => {
    using server = await serve((received) => received.answer({ body: 'here' }, 'id-1'));
    using connection = await Connection.open(server.port);
    for (const _ of [1, 2]) {
      connection.send(request);
      assert.equal((await connection.answer()).body, 'here');
    }
    assert.equal(await connection.end(), '');
  });

  it('ends when its client does not take the answer', async () => {
    const over = Promise.withResolvers<boolean>();
    using server = await serve((received) => {
      received.whenOver(() => over.resolve(received.isAnswered));
      received.answer({ body: 'a'.repeat(20_000_000) }, 'id-1');
    });
    using connection = await Connection.open(server.port);
    connection.socket.pause();
    connection.send(request);
    assert.ok(!(await over.promise));
  });

  it('stays open while its request is not answered', async () => {
    const { promise, resolve } = Promise.withResolvers<ReceivedRequest>();
    using server = await serve((received) => {
      if (received.target === '/') received.answer({ body: 'here' }, 'id-1');
      else resolve(received);
    });
    using waiting = await Connection.open(server.port);
    waiting.send(request.replace('/', '/slow'));
    const received = await promise;
    using idle = await Connection.open(server.port);
    idle.send(request);
    await idle.answer();
    // This one begins later and ends, so the time of the other is over too.
    await idle.end();
    received.answer({ body: 'late' }, 'id-1');
    assert.equal((await waiting.answer()).body, 'late');
  });
});
