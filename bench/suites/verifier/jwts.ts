import {
  constants,
  createPublicKey,
  type VerifyKeyObjectInput,
  verify as verifySignature,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTokenVerifier, type TokenVerifier } from '@watchword/resource-server';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { median } from '../../measure/statistics.ts';

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const rounds = 5;
const freshPerRound = 2000;
const cachedPerRound = 1_000_000;
const distinctTokens = 1000;
// Requests of an API that are under way at the same time.
const concurrent = 64;

interface Signed {
  readonly token: string;
  readonly input: Buffer;
  readonly signature: Buffer;
}

/**
 * Verification of JWTs: fresh ones beside `crypto.verify` alone, of the same signatures and in turn, and cached ones beside a lookup in a
 * bare Map. The server here only has keys and an empty list of revocations.
 */
export async function benchJwts(): Promise<void> {
  const keys = new Map<string, { readonly privateKey: CryptoKey; readonly jwk: JWK }>();
  for (const alg of algorithms) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    keys.set(alg, { privateKey, jwk: { ...(await exportJWK(publicKey)), alg, kid: alg, use: 'sig' } });
  }
  const sign = (claims: Record<string, unknown>, alg: string, typ: string) => {
    const key = keys.get(alg)?.privateKey as CryptoKey;
    return new SignJWT(claims).setProtectedHeader({ alg, kid: alg, typ }).sign(key);
  };
  await using server = await startFeed(
    [...keys.values()].map(({ jwk }) => jwk),
    (issuer, since) =>
      sign({ ...listClaims, iss: issuer, iat: now(), ...(since && { since }) }, 'ES256', 'revocations+jwt'),
  );
  const verifier = createTokenVerifier({
    tokenInfoUrl: `${server.issuer}/v1/tokeninfo`,
    key: 'api',
    secret: 'secret',
    cache: { maxEntries: 100_000 },
  });
  const issue = async (alg: string): Promise<Signed> => {
    const token = await sign(
      { ...tokenClaims, iss: server.issuer, iat: now(), exp: now() + 3600, jti: crypto.randomUUID() },
      alg,
      'at+jwt',
    );
    const end = token.lastIndexOf('.');
    return {
      token,
      input: Buffer.from(token.slice(0, end)),
      signature: Buffer.from(token.slice(end + 1), 'base64url'),
    };
  };
  await untilLocal(verifier, async () => (await issue('ES256')).token);
  for (const alg of algorithms) {
    const fresh: Signed[][] = [];
    while (fresh.length <= rounds) {
      fresh.push(await Promise.all(Array.from({ length: freshPerRound }, () => issue(alg))));
    }
    await compareFresh(
      alg,
      verifier,
      createPublicKey({ key: keys.get(alg)?.jwk as never, format: 'jwk' }),
      fresh,
    );
  }
  const known = await Promise.all(Array.from({ length: distinctTokens }, () => issue('ES256')));
  await compareCached(
    verifier,
    known.map(({ token }) => token),
  );
  verifier.close();
}

const now = () => Math.floor(Date.now() / 1000);
const listClaims = { aud: 'api', cursor: 'a', revoked: { grants: {}, clients: {}, tokens: {}, keys: {} } };
const tokenClaims = {
  aud: 'api',
  sub: 'c2VsZi1kZXNjcmliaW5nLXN1YmplY3Q',
  client_id: 'web-shop',
  scope: 'read write',
  roles: ['clerk'],
  groups: ['sales', 'support'],
  grant_id: '019a4c1e-7d55-7f3a-9b8e-2f1c7a90d3e4',
};

async function compareFresh(
  alg: string,
  { verify }: TokenVerifier,
  publicKey: ReturnType<typeof createPublicKey>,
  [warm = [], ...others]: readonly (readonly Signed[])[],
): Promise<void> {
  const key: VerifyKeyObjectInput = {
    key: publicKey,
    ...(alg === 'PS256' && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
    ...(alg === 'ES256' && { dsaEncoding: 'ieee-p1363' }),
  };
  const bare = (signed: readonly Signed[]) =>
    timed(signed.length, () => {
      for (const { input, signature } of signed) {
        if (!verifySignature(alg === 'EdDSA' ? null : 'sha256', input, key, signature))
          throw new Error('not valid');
      }
    });
  const library = (signed: readonly Signed[], callers: number) => {
    const waiting = signed.values();
    const call = async () => {
      for (const { token } of waiting) await verify(token);
    };
    return timed(signed.length, async () => {
      await Promise.all(Array.from({ length: callers }, call));
    });
  };
  const half = freshPerRound / 2;
  const measured: Readonly<Record<'bare' | 'one' | 'many', Timed>>[] = [];
  for (const signed of [warm, ...others]) {
    measured.push({
      bare: await bare(signed),
      one: await library(signed.slice(0, half), 1),
      many: await library(signed.slice(half), concurrent),
    });
  }
  // The first round warms up.
  measured.shift();
  const of = (kind: 'bare' | 'one' | 'many', part: keyof Timed) =>
    median(measured.map((round) => round[kind][part])).toFixed(0);
  const ratio = (kind: 'one' | 'many', part: keyof Timed) =>
    median(measured.map((round) => round.bare[part] / round[kind][part])).toFixed(2);
  console.log(`${alg}, fresh; crypto.verify alone: ${of('bare', 'processor')} us`);
  for (const [kind, callers] of [
    ['one', '1 caller'],
    ['many', `${concurrent} callers`],
  ] as const) {
    console.log(
      `  ${callers}: ${of(kind, 'elapsed')} us (${ratio(kind, 'elapsed')} of the rate of crypto.verify), ` +
        `processor ${of(kind, 'processor')} us (${ratio(kind, 'processor')})`,
    );
  }
}

async function compareCached({ verify }: TokenVerifier, tokens: readonly string[]): Promise<void> {
  const infos = new Map<string, unknown>();
  for (const token of tokens) infos.set(token, await verify(token));
  const library: Timed[] = [];
  const bare: Timed[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const cached = await timed(cachedPerRound, () =>
      inTurns((call) => verify(tokens[call % tokens.length] as string)),
    );
    const looked = await timed(cachedPerRound, () =>
      inTurns((call) => infos.get(tokens[call % tokens.length] as string)),
    );
    // The first round warms up.
    if (round > 0) library.push(cached);
    if (round > 0) bare.push(looked);
  }
  const ns = (times: readonly Timed[]) => median(times.map(({ processor }) => processor * 1000)).toFixed(0);
  const rate = (times: readonly Timed[]) => (1e6 / median(times.map(({ elapsed }) => elapsed))).toFixed(0);
  console.log(
    `cached JWTs, ${tokens.length} tokens of ${tokens[0]?.length} characters: ${rate(library)}/s, ${ns(library)} ns of processor each; ` +
      `an awaited lookup in a bare Map: ${rate(bare)}/s, ${ns(bare)} ns`,
  );
}

/** One after the other, each awaited, as a request handler does. The requests of the feed have their turns between them. */
async function inTurns(work: (call: number) => unknown): Promise<void> {
  for (let call = 0; call < cachedPerRound; call += 1) {
    await work(call);
    if (call % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Microseconds of one call. */
interface Timed {
  readonly elapsed: number;
  readonly processor: number;
}

async function timed(calls: number, work: () => void | Promise<void>): Promise<Timed> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { elapsed: ((performance.now() - start) * 1000) / calls, processor: (user + system) / calls };
}

async function untilLocal({ verify }: TokenVerifier, issue: () => Promise<string>): Promise<void> {
  for (let attempts = 0; attempts < 1000; attempts += 1) {
    const info = await verify(await issue()).catch(() => undefined);
    if (info?.claims !== undefined) return;
  }
  throw new Error('the list of revocations did not arrive');
}

async function startFeed(keys: readonly JWK[], listOf: (issuer: string, since?: string) => Promise<string>) {
  const server = createServer(async ({ url, headers }, response) => {
    if (url === '/oauth2/jwks') response.end(JSON.stringify({ keys }));
    else if (url !== '/oauth2/revocations') response.writeHead(404).end('{"error":"not_found"}');
    else if (headers['if-none-match'] === undefined) response.end(await listOf(issuer));
    else {
      const wait = headers.prefer?.includes('wait') ? 5000 : 0;
      setTimeout(async () => response.end(await listOf(issuer, listClaims.cursor)), wait).unref();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
