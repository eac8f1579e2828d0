import { once } from 'node:events';
import { createConnection } from 'node:net';
import { basic, demoClient } from '@watchword/server-testkit/servers/server';

/** A token request whose head the server has read, and whose body is still to come. */
export interface OpenRequest {
  /** Sends the body. */
  complete(): void;
  /** What the server has answered so far. */
  answer(): string;
  end(): void;
}

export async function openRequest(baseUrl: string): Promise<OpenRequest> {
  const { hostname, port } = new URL(baseUrl);
  const socket = createConnection({ port: Number(port), host: hostname });
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  // A server that does not end in order resets the connection.
  socket.on('error', () => {});
  const body = 'grant_type=client_credentials';
  const head = `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(demoClient)}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head);
  await once(socket, 'connect');
  // The answer on another connection, which does not stay open, shows that the server has read the head of the first.
  await fetch(`${baseUrl}/healthz`, { headers: { connection: 'close' } });
  return {
    complete: () => void socket.write(body),
    answer: () => answer,
    end: () => void socket.destroy(),
  };
}
