import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @returns the origin at which the server listens. @param port 0 = any free one */
export async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Starts parts one after the other; when one fails, those before it are stopped. @param start hands in how each is stopped */
export async function together<Parts>(
  start: (stopping: (stop: () => Promise<unknown>) => void) => Promise<Parts>,
): Promise<Parts & { stop(): Promise<void> }> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    return { ...(await start((each) => stops.push(each))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
