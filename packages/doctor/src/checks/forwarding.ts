import proxyAddress from '@fastify/proxy-addr';
import type { EchoedRequest } from '@watchword/server/features/echo';
import { broken, type Finding, ok, skipped, warning } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';
import { withoutEcho } from './identity.ts';

/** An address of documentation (RFC 5737), which no client has. */
const forged = '192.0.2.77';

/** How the server sees the client and the address of a request, and whether a client can forge it. */
export const forwarding: Check = {
  name: 'forwarding',
  async run(server: Reached): Promise<readonly Finding[]> {
    const { baseUrl, echo } = server;
    if (echo === undefined) return [skipped('how requests arrive is not known', withoutEcho)];
    const plain = await echo();
    const withForgery = await echo({ headers: { 'x-forwarded-for': forged } });
    return [clientAddress(plain, withForgery, server), ...scheme(plain, baseUrl), ...host(plain, baseUrl)];
  },
};

const advice = {
  trust:
    'name the address of the proxy, and only that, in trustedProxies. Until then the limits of failed attempts count all clients as one, and the log has no client address',
  send: 'let the proxy send X-Forwarded-For with the address of the client (nginx: proxy_set_header X-Forwarded-For $remote_addr)',
  replace:
    'let the proxy replace the X-Forwarded-For that a client sends, or append to it (nginx: proxy_set_header X-Forwarded-For $remote_addr). Until then a client escapes the limits of failed attempts',
};

function clientAddress(plain: EchoedRequest, withForgery: EchoedRequest, server: Reached): Finding {
  const { source, forwarded_for: header } = plain;
  const chain = addressesOf(withForgery.forwarded_for);
  const expected = 'the address of the client, which no client can choose';
  if (isDirect(server)) {
    return ok(`no proxy is between, and clients have the address of their connection (${source})`);
  }
  // With the forged address alone, no proxy has added who sent the request.
  if (withForgery.source === forged && chain.length === 1) {
    return broken(`the server takes any X-Forwarded-For of a client for its address`, {
      expected,
      advice: advice.replace,
    });
  }
  if (header === null) {
    return warning(`no X-Forwarded-For arrives: behind a proxy, every client has its address (${source})`, {
      expected,
      advice: `${advice.send}, and ${advice.trust}`,
    });
  }
  if (!addressesOf(header).includes(source)) {
    return broken(`the server does not trust the proxy at ${source}: every client has that address`, {
      expected,
      advice: advice.trust,
    });
  }
  return withForgery.source === forged
    ? trustedHere(chain, server)
    : ok(`clients have the address that the proxy reports (${source}), and cannot forge it`);
}

/** The proxy names this machine after the forged address, and the server trusts this machine like a proxy. */
function trustedHere(chain: readonly string[], { configuration }: Reached): Finding {
  const trusted = configuration?.trustedProxies ?? [];
  const isTrusted = proxyAddress.compile([...trusted]);
  // Any machine of the internet: an address that a private network cannot have.
  if (isTrusted('198.51.100.1', 0) || isTrusted('2001:db8::1', 0)) {
    return broken(
      'trustedProxies has addresses of the whole internet, so each client can choose its address',
      {
        expected: 'the addresses of the proxies only',
        advice: 'name only your proxies in trustedProxies',
      },
    );
  }
  return ok(
    `clients have the address that the proxy reports. This machine (${chain.at(-1)}) is in trustedProxies, so it can name another one`,
  );
}

/** Whether the base URL is the address at which the server itself listens: it never provides TLS. */
function isDirect({ baseUrl, localUrl }: Reached): boolean {
  const [outer, inner] = [new URL(baseUrl), localUrl === undefined ? undefined : new URL(localUrl)];
  return outer.protocol === 'http:' && inner !== undefined && portOf(outer) === portOf(inner);
}

function portOf({ port }: URL): string {
  return port || '80';
}

function addressesOf(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

function scheme({ forwarded_proto: proto }: EchoedRequest, baseUrl: string): readonly Finding[] {
  const own = new URL(baseUrl).protocol.slice(0, -1);
  if (proto === own) return [ok(`X-Forwarded-Proto is ${proto}, as in the base URL`)];
  if (proto === null) {
    return [ok(`no X-Forwarded-Proto arrives, and none is needed: the server takes ${own} from baseUrl`)];
  }
  return [
    warning(`X-Forwarded-Proto is "${proto}"`, {
      expected: `${own}, as in the base URL. The server takes the scheme from baseUrl, so its cookies and addresses are right`,
      advice:
        'find out whether a proxy on the way gets these requests without TLS, and correct its X-Forwarded-Proto',
    }),
  ];
}

function host(
  { host: arrived, forwarded_host: forwarded }: EchoedRequest,
  baseUrl: string,
): readonly Finding[] {
  const own = new URL(baseUrl).host;
  if (arrived === own || forwarded === own) return [];
  return [
    ok(`the proxy changes Host to ${arrived}, which does not matter: the server takes ${own} from baseUrl`),
  ];
}
