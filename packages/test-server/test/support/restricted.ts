// A process that may not write files, nor start threads or processes: Node.js throws where one tries.
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { startTestServer } from '../../src/index.ts';

const remote = new Set<string>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => remote.add(socket.remoteAddress ?? ''));
});

const servers = await Promise.all([startTestServer(), startTestServer()]);
for (const server of servers) {
  await server.logIn({ scope: 'openid' });
  await server.rotateKeys();
  using _ = server.faults.wrongIssuer();
  await server.logIn();
}
await Promise.all(servers.map((server) => server.close()));
console.log(JSON.stringify({ servers: servers.length, remote: [...remote] }));
