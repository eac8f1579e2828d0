import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A client's back-channel logout URI. */
export interface LogoutReceiver extends AsyncDisposable {
  readonly url: string;
  /** `host:port`, for `outbound.privateHosts`. */
  readonly host: string;
  /** The logout tokens so far. */
  readonly tokens: readonly string[];
  /** The next logout token: one that has not been returned yet. */
  next(): Promise<string>;
}

/** @param answer answers the requests; default: 200 */
export async function startLogoutReceiver(
  answer: (response: ServerResponse, count: number) => void = (response) => response.end(),
): Promise<LogoutReceiver> {
  const tokens: string[] = [];
  const waiting: ((token: string) => void)[] = [];
  let returned = 0;
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const token = form.get('logout_token') ?? '';
    tokens.push(token);
    answer(response, tokens.length);
    const wait = waiting.shift();
    if (wait === undefined) return;
    returned += 1;
    wait(token);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/backchannel_logout`,
    host,
    tokens,
    next() {
      const token = tokens[returned];
      if (token === undefined) return new Promise((resolve) => waiting.push(resolve));
      returned += 1;
      return Promise.resolve(token);
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
