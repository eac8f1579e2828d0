import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Connection } from './connection.ts';

/** Sends bytes unchanged and resolves with all bytes of the answer until the connection ends. */
export async function rawRequest(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // After its answer a server can reset a connection with unread bytes.
  socket.on('error', () => {});
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** Status and parsed body of a raw answer. */
export function parseRaw(answer: string): { status: number; body: { error: string }; head: string } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body || '{}'), head };
}

/** A persistent connection: `request` resolves with a whole answer, or rejects when the connection ends before. */
export async function keepAlive(baseUrl: string): Promise<{ socket: Socket; request(): Promise<string> }> {
  const { hostname: host, port } = new URL(baseUrl);
  const connection = await Connection.open(Number(port), { host });
  return {
    socket: connection.socket,
    async request() {
      connection.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const { head, body } = await connection.answer();
      return head + body;
    },
  };
}

// So many requests of a connection can wait for the answer to another.
const atOnce = 100;

/** Sends requests without pauses, over as many connections as they need. Each writes a line to the log. */
export async function pipelined(baseUrl: string, count: number): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  for (let sent = 0; sent < count; sent += atOnce) {
    const more = Math.min(atOnce, count - sent);
    const socket = createConnection({ port: Number(port), host: hostname });
    socket.end(request.repeat(more - 1) + last);
    const answers = await text(socket);
    assert.equal(answers.split('HTTP/1.1 200').length - 1, more);
  }
}
