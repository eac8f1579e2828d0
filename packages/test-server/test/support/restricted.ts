// A process that may not write files, nor start threads or processes: Node.js throws where one tries.
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { useTestServer } from './use-test-server.ts';

const remote = new Set<string>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => remote.add(socket.remoteAddress ?? ''));
});

await useTestServer();
console.log(JSON.stringify([...remote]));
