import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { describe, it } from 'node:test';
import { StreamedRequest } from '../../src/http/connections/streamed-request.ts';

describe('a streamed request', () => {
  it('leaves nothing at its connection for each answer before the end of a body', async () => {
    const ways: unknown[] = [];
    const server = createServer((message, response) => {
      new StreamedRequest(message, response).answer({ status: 404, body: '' }, 'id-1');
      ways.push(message.socket.destroySoon);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na';
    client.write(head);
    await once(client, 'data');
    client.write(`a${head}`);
    await once(client, 'data');
    client.write('aGET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    client.resume();
    await once(client, 'close');
    server.close();
    await once(server, 'close');
    const [first, second, third] = ways;
    assert.equal(ways.length, 3);
    assert.equal(second, first, 'each further request calls all before it when the connection ends');
    assert.equal(third, first);
  });
});
