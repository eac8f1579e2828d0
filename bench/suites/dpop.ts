import { createPublicKey, KeyObject, sign, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { createGuard, createTokenVerifier, type Guard } from '@watchword/resource-server';
import { ClientKey } from '@watchword/testkit/client-key';
import { DpopKey } from '@watchword/testkit/dpop-key';
import { registerClient, untilKnown } from '../contestants/checkouts.ts';
import { type ServerProcess, watchword } from '../contestants/server-process.ts';
import { ownServer } from '../contestants/temporary.ts';
import { httpLoad } from '../load/http-load.ts';
import { demoResourceServer, demoService, formRequest } from '../load/token-requests.ts';
import { type ThreadKind, threadKinds } from '../measure/processor-time.ts';
import { median } from '../measure/statistics.ts';
import { microsecondsEach } from '../rounds/rounds.ts';

const rounds = 7;
/** Until then V8 compiles: what runs for long runs compiled. */
const warmUpRounds = 4;
const roundMs = 300;
const concurrent = 64;
/** More than a server answers in a round. */
const requestsPerRound = 9000;
const callsPerRound = 1000;
/** More than requests at a time, so that no two of them share a lookup. */
const distinctTokens = 128;
const leastShare = 0.6;
const api = 'https://api.example/orders';

type Kind = 'Bearer' | 'ES256' | 'EdDSA';
const kinds: readonly Kind[] = ['Bearer', 'ES256', 'EdDSA'];

interface Figure {
  readonly perSecond: number;
  /** Microseconds of the process that is measured, and of each kind of threads of a server. */
  readonly processor: ReadonlyMap<ThreadKind | 'all', number>;
}

/** Does work of a kind, with a new proof for each request that is made before the time begins. */
type Round = (kind: Kind, key: DpopKey | undefined) => Promise<Figure>;

/**
 * `npm run bench -- dpop`: token issue, and requests to an API, with tokens that are bound to a key beside bearer tokens. Clients authenticate by a
 * secret, and as FAPI deployments do. Fails where the rate with proofs is less than 0.6 of that without, but for cached tokens: without proofs they
 * cost nothing.
 */
export async function benchDpop(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const { process: server, database } = await ownServer(resources);
  const keys = new Map(
    await Promise.all(kinds.slice(1).map(async (kind) => [kind, await DpopKey.create(kind)] as const)),
  );
  const metadata = await fetch(`http://127.0.0.1:${server.port}/.well-known/oauth-authorization-server`);
  const place = { server, ...((await metadata.json()) as Pick<Place, 'issuer' | 'token_endpoint'>) };
  console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`);
  console.log(`${concurrent} at a time, medians of ${rounds} rounds\n`);
  for (const [kind, key] of keys) {
    console.log(`crypto.verify, ${kind}: ${verificationTime(key).toFixed(0)} us of processor`);
  }
  const withSecret = formRequest(server.port, '/oauth2/token', demoService, grant);
  const withKey = await keyedRequests(place, database);
  const tokens = new Map<Kind, readonly string[]>();
  for (const kind of kinds) {
    const asked = Array.from({ length: distinctTokens }, () => tokenOf(place, keys.get(kind)));
    tokens.set(kind, await Promise.all(asked));
  }
  const shares = [
    await compare(
      'token issue, secret',
      keys,
      tokenIssue(place, () => withSecret),
    ),
    await compare('token issue, private_key_jwt (ES256)', keys, tokenIssue(place, withKey)),
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
  for (let count = -warmUpRounds; count < rounds; count += 1) {
    for (const kind of count % 2 === 0 ? kinds : kinds.toReversed()) {
      const figure = await round(kind, keys.get(kind));
      if (count >= 0) measured.get(kind)?.push(figure);
    }
  }
  const of = (kind: Kind, part: (figure: Figure) => number) => median((measured.get(kind) ?? []).map(part));
  const rateOf = (kind: Kind) => of(kind, ({ perSecond }) => perSecond);
  const shareOf = (kind: Kind) => rateOf(kind) / rateOf('Bearer');
  const timeOf = (kind: Kind, thread: ThreadKind | 'all') =>
    of(kind, ({ processor }) => processor.get(thread) ?? 0);
  console.log(name);
  for (const kind of kinds) {
    const threads = threadKinds.filter((thread) => timeOf(kind, thread) > 0);
    const parts = threads.map((thread) => `${thread} ${timeOf(kind, thread).toFixed(0)}`).join(', ');
    const ofProcessor = timeOf('Bearer', 'all') / timeOf(kind, 'all');
    console.log(
      `  ${kind}: ${rateOf(kind).toFixed(0)}/s (${shareOf(kind).toFixed(2)}), ` +
        `processor ${timeOf(kind, 'all').toFixed(0)} us (${ofProcessor.toFixed(2)}) ${parts}`,
    );
  }
  return kinds.slice(1).map(shareOf);
}

/** What a proof costs at least: microseconds of processor for a signature of the size of one. */
function verificationTime({ algorithm, jwk, privateKey }: DpopKey): number {
  const digest = algorithm === 'EdDSA' ? null : 'sha256';
  const dsaEncoding = 'ieee-p1363';
  const text = Buffer.alloc(400, 'a');
  const signature = sign(digest, text, { key: KeyObject.from(privateKey), dsaEncoding });
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (let count = 0; count < callsPerRound; count += 1) {
      verify(digest, text, { key: publicKey, dsaEncoding }, signature);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / callsPerRound;
  });
  return median(times);
}

interface Place {
  readonly server: ServerProcess;
  readonly issuer: string;
  readonly token_endpoint: string;
}

const grant = { grant_type: 'client_credentials' };

/** The bytes of a token request without a proof, new if it can be sent only once. */
type RequestOf = () => Buffer | Promise<Buffer>;

/** Of a client that authenticates by `private_key_jwt`. */
async function keyedRequests(
  { server, issuer, token_endpoint }: Place,
  database: string,
): Promise<RequestOf> {
  const key = await ClientKey.create('ES256');
  const jwks = join(dirname(database), 'jwks.json');
  writeFileSync(jwks, JSON.stringify({ keys: [key.jwk] }));
  const { clientId } = await registerClient(watchword, database, [
    ...['--allow-client-credentials', '--token-endpoint-auth-method', 'private_key_jwt', '--jwks', jwks],
  ]);
  const form = async () => ({ ...grant, ...(await key.form({ clientId, issuer })) });
  await untilKnown(async () => {
    const answer = await fetch(token_endpoint, { method: 'POST', body: new URLSearchParams(await form()) });
    if (!answer.ok) throw new Error(`expected a token, got ${answer.status} ${await answer.text()}`);
  });
  return async () => formRequest(server.port, '/oauth2/token', undefined, await form());
}

function tokenIssue({ server, token_endpoint: url }: Place, requestOf: RequestOf): Round {
  return async (_kind, key) => {
    const requests = Array.from({ length: requestsPerRound }, async () => {
      const request = await requestOf();
      return key === undefined
        ? request
        : withHeader(request, `DPoP: ${await key.proof({ method: 'POST', url })}`);
    });
    const prepared = (await Promise.all(requests)).values();
    const before = server.threadSeconds();
    const load = await httpLoad({
      port: server.port,
      connections: concurrent,
      durationMs: roundMs,
      requests: { next: () => prepared.next().value as Buffer },
    });
    const threads = microsecondsEach(before, server.threadSeconds(), load.done);
    const all = [...threads.values()].reduce((sum, each) => sum + each, 0);
    return { perSecond: load.perSecond, processor: new Map([['all', all], ...threads]) };
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
      Array.from({ length: callsPerRound }, async (_, index): Promise<Parameters<Guard>> => {
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
    processor: new Map([['all', (user + system) / requests.length]]),
  };
}

function withHeader(request: Buffer, header: string): Buffer {
  const text = request.toString('latin1');
  return Buffer.from(text.replace('\r\n', `\r\n${header}\r\n`), 'latin1');
}

/** A token of the client, bound if there is a key. */
async function tokenOf({ token_endpoint: url }: Place, key: DpopKey | undefined): Promise<string> {
  const { clientId, secret } = demoService;
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
      ...(key && { dpop: await key.proof({ method: 'POST', url }) }),
    },
    body: new URLSearchParams(grant),
  });
  const { access_token, token_type } = (await answer.json()) as Record<string, string>;
  const expected = key === undefined ? 'bearer' : 'DPoP';
  if (access_token === undefined || token_type !== expected) {
    throw new Error(`expected a token of type ${expected}, got ${answer.status} with type ${token_type}`);
  }
  return access_token;
}
