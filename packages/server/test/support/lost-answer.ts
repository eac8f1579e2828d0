import { createConnection } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import type { Application } from '@watchword/server-testkit/application';
import { basic, type TestServer } from '@watchword/server-testkit/server';

/** Uses the refresh token, and closes the connection before it reads the answer. */
export async function sendAndHangUp(
  server: TestServer,
  refreshToken: string,
  app: Application,
): Promise<void> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString();
  using database = openDatabase(server.database);
  const before = database.rotations();
  const socket = createConnection({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(
    `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(app.credentials ?? '')}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  while (database.rotations() === before) await new Promise((resolve) => setImmediate(resolve));
  socket.resetAndDestroy();
}

function openDatabase(file: string): Disposable & { rotations(): unknown } {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = database.prepare('select count(rotated_at) as rotations from refresh_token');
  return { rotations: () => count.get()?.rotations, [Symbol.dispose]: () => database.close() };
}
