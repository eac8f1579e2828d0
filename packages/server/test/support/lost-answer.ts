import { createConnection } from 'node:net';
import type { Application } from '@watchword/server-testkit/clients/application';
import { until } from '@watchword/server-testkit/processes/process';
import { basic, type TestServer } from '@watchword/server-testkit/servers/server';
import { countRows } from '@watchword/server-testkit/servers/sql';

/** Uses the refresh token, and closes the connection before it reads the answer. */
export async function sendAndHangUp(
  server: TestServer,
  refreshToken: string,
  app: Application,
): Promise<void> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString();
  const rotations = () => countRows(server.database, 'refresh_token where rotated_at is not null');
  const before = await rotations();
  const socket = createConnection({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(
    `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(app.credentials ?? '')}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await until(async () => (await rotations()) > before);
  socket.resetAndDestroy();
}
