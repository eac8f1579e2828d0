import type { Socket } from 'node:net';

// Milliseconds for which a client can go on sending, and for which it can pause meanwhile.
const [most, pause] = [10_000, 2000];

/**
 * Ends a connection whose client can still be sending: first the side of the server, then the other one when the client has read the
 * answer and ends its side. If both ended at once, bytes that nobody reads would let the system reset the connection, and the client
 * would get an error of the network instead of the answer (RFC 9112 §9.6).
 */
export function closeInStages(socket: Socket): void {
  if (socket.destroyed) return;
  // What comes is no request any more.
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.on('timeout', () => socket.destroy());
  socket.setTimeout(pause);
  const timer = setTimeout(() => socket.destroy(), most).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}
