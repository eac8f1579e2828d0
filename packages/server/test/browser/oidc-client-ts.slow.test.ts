import { request } from 'node:http';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer } from '@watchword/server-testkit/servers/server';
import { testKey } from '@watchword/testkit/certificate';
import { freePort } from '@watchword/testkit/free-port';
import { startSite } from '@watchword/testkit/site';
import { browserApp } from '../support/browser-app.ts';
import { describeBrowserApp, type Website } from '../support/browser-app-rules.ts';
import { registerOpenidClient } from '../support/openid-client.ts';

describeBrowserApp('over https and without refresh tokens', tlsWebsite, true);

/** A frame gets the cookies of its site only, and `http` and `https` are two sites: a proxy gives the server TLS, too. */
async function tlsWebsite(): Promise<Website> {
  await using started = new AsyncDisposableStack();
  const tls = testKey('localhost');
  const ports = [await freePort(), await freePort()] as const;
  const [issuer, origin] = [`https://localhost:${ports[0]}`, `https://localhost:${ports[1]}`];
  const server = started.use(
    await startServer({ host: 'localhost', baseUrl: issuer, authenticator: anyPerson }),
  );
  const proxy = await startSite(
    (incoming, outgoing) => {
      const { url: path, method, headers } = incoming;
      const forwarded = request({ host: 'localhost', port: server.port, path, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    },
    tls,
    ports[0],
  );
  started.use(proxy);
  const home = `${origin}/`;
  const { client } = await registerOpenidClient(server, {
    redirectUris: [home],
    postLogoutRedirectUris: [home],
    confidential: false,
    useRefreshTokens: false,
  });
  const adapt = (text: string) =>
    text
      .replaceAll('http://localhost:3000/', home)
      .replaceAll('https://login.example', issuer)
      .replace("client_id: 'browser-app'", `client_id: '${client.clientId}'`);
  started.use(await startSite(await browserApp(adapt), tls, ports[1]));
  const running = started.move();
  return { origin, issuer, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
