import { cpus } from 'node:os';
import { createGuard, createTokenVerifier, type Guard } from '@watchword/resource-server';
import { DpopKey } from '@watchword/testkit/dpop-key';
import type { ServerProcess } from '../contestants/server-process.ts';
import { ownServer } from '../contestants/temporary.ts';
import { httpLoad } from '../load/http-load.ts';
import { demoResourceServer, demoService, tokenRequest } from '../load/token-requests.ts';
import { median } from '../measure/statistics.ts';

const rounds = 5;
const roundMs = 300;
const concurrent = 64;
/** More than a server answers in a round. */
const proofsPerRound = 4000;
const requestsPerRound = 1000;
/** More than requests at a time, so that no two of them share a lookup. */
const distinctTokens = 128;
const leastShare = 0.6;
const api = 'https://api.example/orders';

type Kind = 'Bearer' | 'ES256' | 'EdDSA';
const kinds: readonly Kind[] = ['Bearer', 'ES256', 'EdDSA'];

interface Figure {
  readonly perSecond: number;
  /** Microseconds of the process that is measured. */
  readonly processor: number;
}

/** Does work of a kind, with a new proof for each request that is made before the time begins. */
type Round = (kind: Kind, key: DpopKey | undefined) => Promise<Figure>;

/**
 * `npm run bench -- dpop`: token issue, and requests to an API, with tokens that are bound to a key beside bearer tokens. Fails where the rate with
 * proofs is less than 0.6 of that without, but for cached tokens: without proofs they cost nothing.
 */
export async function benchDpop(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const { process: server } = await ownServer(resources);
  const keys = new Map(
    await Promise.all(kinds.slice(1).map(async (kind) => [kind, await DpopKey.create(kind)] as const)),
  );
  const endpoint = await tokenEndpointOf(server.port);
  console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`);
  console.log(`${concurrent} at a time, medians of ${rounds} rounds\n`);
  const tokens = new Map<Kind, readonly string[]>();
  for (const kind of kinds) {
    const asked = Array.from({ length: distinctTokens }, () => tokenOf(endpoint, keys.get(kind)));
    tokens.set(kind, await Promise.all(asked));
  }
  const shares = [
    await compare('token issue', keys, tokenIssue(server, endpoint)),
    await compare('API, each token is a lookup', keys, requestsOfApi(server, tokens, 0)),
  ].flat();
  await compare('API, cached tokens', keys, requestsOfApi(server, tokens, 300_000));
  if (Math.min(...shares) < leastShare) {
    throw new Error(
      `expected at least ${leastShare} of the rate without proofs, got ${Math.min(...shares).toFixed(2)}`,
    );
  }
}

/** @returns the shares of the rate without proofs, one for each algorithm */
async function compare(
  name: string,
  keys: ReadonlyMap<Kind, DpopKey>,
  round: Round,
): Promise<readonly number[]> {
  const measured = new Map<Kind, Figure[]>(kinds.map((kind) => [kind, []]));
  // The first round warms up.
  for (let count = 0; count <= rounds; count += 1) {
    for (const kind of count % 2 === 0 ? kinds : kinds.toReversed()) {
      const figure = await round(kind, keys.get(kind));
      if (count > 0) measured.get(kind)?.push(figure);
    }
  }
  const of = (kind: Kind, part: keyof Figure) =>
    median((measured.get(kind) ?? []).map((figure) => figure[part]));
  console.log(name);
  for (const kind of kinds) {
    const share = of(kind, 'perSecond') / of('Bearer', 'perSecond');
    console.log(
      `  ${kind}: ${of(kind, 'perSecond').toFixed(0)}/s (${share.toFixed(2)}), processor ${of(kind, 'processor').toFixed(0)} us`,
    );
  }
  return kinds.slice(1).map((kind) => of(kind, 'perSecond') / of('Bearer', 'perSecond'));
}

function tokenIssue(server: ServerProcess, endpoint: string): Round {
  return async (_kind, key) => {
    const plain = tokenRequest(server.port);
    const proofs =
      key &&
      (await Promise.all(
        Array.from({ length: proofsPerRound }, () => key.proof({ method: 'POST', url: endpoint })),
      ));
    const prepared = proofs?.map((proof) => withHeader(plain, `DPoP: ${proof}`)).values();
    const next = () => (prepared === undefined ? plain : (prepared.next().value as Buffer));
    const before = server.cpuSeconds();
    const load = await httpLoad({
      port: server.port,
      connections: concurrent,
      durationMs: roundMs,
      requests: { next },
    });
    return {
      perSecond: load.perSecond,
      processor: ((server.cpuSeconds() - before) * 1e6) / load.done,
    };
  };
}

function requestsOfApi(
  server: ServerProcess,
  tokens: ReadonlyMap<Kind, readonly string[]>,
  ttl: number,
): Round {
  const verifier = createTokenVerifier({
    tokenInfoUrl: `http://127.0.0.1:${server.port}/v1/tokeninfo`,
    ...demoResourceServer,
    publicUrl: new URL(api).origin,
    cache: { ttl },
  });
  const guard = createGuard(verifier);
  return async (kind, key) => {
    const known = tokens.get(kind) ?? [];
    const requests = await Promise.all(
      Array.from({ length: requestsPerRound }, async (_, index): Promise<Parameters<Guard>> => {
        const accessToken = known[index % known.length] as string;
        const headers = key === undefined ? {} : { dpop: await key.proof({ url: api, accessToken }) };
        const scheme = key === undefined ? 'Bearer' : 'DPoP';
        return [`${scheme} ${accessToken}`, { method: 'GET', url: api, headers }];
      }),
    );
    return timed(guard, requests);
  };
}

async function timed(guard: Guard, requests: readonly Parameters<Guard>[]): Promise<Figure> {
  const waiting = requests.values();
  const caller = async () => {
    for (const request of waiting) await guard(...request);
  };
  const start = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: concurrent }, caller));
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (requests.length * 1000) / (performance.now() - start),
    processor: (user + system) / requests.length,
  };
}

function withHeader(request: Buffer, header: string): Buffer {
  const text = request.toString('latin1');
  return Buffer.from(text.replace('\r\n', `\r\n${header}\r\n`), 'latin1');
}

async function tokenEndpointOf(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
  return ((await answer.json()) as { token_endpoint: string }).token_endpoint;
}

/** A token of the client, bound if there is a key. */
async function tokenOf(endpoint: string, key: DpopKey | undefined): Promise<string> {
  const { clientId, secret } = demoService;
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
      ...(key && { dpop: await key.proof({ method: 'POST', url: endpoint }) }),
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token, token_type } = (await answer.json()) as Record<string, string>;
  const expected = key === undefined ? 'bearer' : 'DPoP';
  if (access_token === undefined || token_type !== expected) {
    throw new Error(`expected a token of type ${expected}, got ${answer.status} with type ${token_type}`);
  }
  return access_token;
}
