// A process that may not write files, nor start threads or processes: Node.js throws where one tries.
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { startTestServer } from '../../src/index.ts';

const remote = new Set<string>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => remote.add(socket.remoteAddress ?? ''));
});

const server = await startTestServer();
await server.logIn({ scope: 'openid' });
await server.rotateKeys();
server.faults.wrongIssuer();
await server.logIn();
await server.close();
console.log(JSON.stringify([...remote]));
