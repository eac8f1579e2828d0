import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, UserAgent } from '@watchword/testkit/user-agent';
import { Provider } from 'oidc-provider';

/** An independent OpenID provider. It accepts every user under any name. */
export interface OpenidProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The parameters of the authorization requests, in their order. */
  readonly requests: URLSearchParams[];
  /** Logs in and consents. Resolves with the address of the redirect back. */
  logIn(agent: UserAgent, address: string, login: string): Promise<string>;
}

export async function startOpenidProvider(client: {
  readonly clientId: string;
  readonly secret: string;
  /** The address of the server that redirects users here, set when it listens. */
  redirectUri(): string;
}): Promise<OpenidProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requests: URLSearchParams[] = [];
  let handle: ReturnType<Provider['callback']> | undefined;
  server.on('request', (request, response) => {
    handle ??= new Provider(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.secret,
          redirect_uris: [client.redirectUri()],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId }),
      }),
    }).callback();
    const url = new URL(request.url ?? '', issuer);
    if (url.pathname === '/auth') requests.push(url.searchParams);
    handle(request, response);
  });

  return {
    issuer,
    requests,
    async logIn(agent, address, login) {
      let page: Page = await agent.get(address);
      if (page.forms.some(({ controls }) => controls.some(({ name }) => name === 'login'))) {
        page = await agent.submit(page, { login, password: 'x' });
      }
      if (page.location === undefined) page = await agent.submit(page, {});
      if (page.location === undefined)
        throw new Error(`expected a way back, got ${page.status} ${page.text}`);
      return page.location;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
