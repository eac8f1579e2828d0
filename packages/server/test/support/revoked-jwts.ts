import assert from 'node:assert/strict';
import type { SigningAlgorithm } from '@watchword/protocol';
import { createTokenVerifier, TokenRejected, type TokenVerifier } from '@watchword/resource-server';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { until } from '@watchword/server-testkit/processes/process';
import type { Served } from '@watchword/server-testkit/servers/server';
import { signingNode } from '@watchword/server-testkit/servers/signing-node';
import { buildAccount, grantFactory } from '@watchword/testkit';
import type { ServerStore } from '../../../store-sql/src/index.ts';
import type { Signing } from '../../src/signing/signing.ts';

const make = grantFactory('revoked');
const second = 1000;

/** An API that verifies JWTs of a client itself, and follows the revocation feed of the server. */
export interface Api extends AsyncDisposable {
  readonly verifier: TokenVerifier;
  readonly clientRecordId: number;
  readonly signing: Signing;
  /** A token of a new grant. */
  issue(
    overrides?: Parameters<typeof make.grant>[0],
  ): Promise<{ token: string; grantId: string; jti: string }>;
}

interface Server extends Served {
  /** A file or a URL. */
  readonly database: string;
  readonly service: { readonly store: ServerStore; readonly baseUrl: string };
}

export async function startApi(server: Server, algorithm: SigningAlgorithm): Promise<Api> {
  const { store, baseUrl } = server.service;
  const resourceServer = (await store.resourceServers.find('demo-resource-server')) ?? assert.fail();
  await store.resourceServers.update(resourceServer.id, { accessTokenFormat: 'jwt' });
  await store.refreshRegistry();
  const { client } = await registerClient(server, { clientName: 'Following shop', expireDuration: 600 });
  const signing = await signingNode(server, { 'signing.algorithms': algorithm });
  const verifier = createTokenVerifier(apiOptions(server));
  const api: Api = {
    verifier,
    clientRecordId: client.id,
    signing,
    async issue(overrides = {}) {
      const creationDate = store.clock.now();
      const grant = make.grant({ clientRecordId: client.id, creationDate, ...overrides });
      await store.authorizationCodes.insert(
        { ...make.code(grant), expires: creationDate + 600 * second },
        grant,
      );
      const jti = make.grant({ creationDate }).id;
      const iat = Math.floor(creationDate / second);
      const claims = {
        iss: baseUrl,
        aud: 'demo-resource-server',
        sub: grant.owner.subject,
        client_id: client.clientId,
        scope: 'read',
        jti,
        iat,
        exp: iat + 600,
        grant_id: grant.id,
      };
      const token = await signing.signer.sign(claims, { algorithm, type: 'at+jwt' });
      return { token, grantId: grant.id, jti };
    },
    async [Symbol.asyncDispose]() {
      verifier.close();
    },
  };
  // Before the first list, token info decides.
  await until(async () => {
    const { token } = await api.issue();
    const info = await verifier.verify(token).catch(() => undefined);
    return info?.claims !== undefined;
  });
  return api;
}

/** Verifies the token until it is refused. */
export async function refused({ verifier }: Pick<Api, 'verifier'>, token: string): Promise<void> {
  await until(async () => {
    try {
      await verifier.verify(token);
      return false;
    } catch (error) {
      assert.ok(error instanceof TokenRejected, String(error));
      return true;
    }
  });
}

/** Revokes a token in each way, and holds that the API refuses it, and no other token. */
export async function refusesRevoked(server: Server, api: Api): Promise<void> {
  const { store } = server.service;
  const now = () => store.clock.now();
  const kept = await api.issue();
  await api.verifier.verify(kept.token);

  const [one, two, three, four] = [
    await api.issue(),
    await api.issue(),
    await api.issue(),
    await api.issue(),
  ];
  for (const { token } of [one, two, three, four]) await api.verifier.verify(token);
  await store.grants.revoke(one.grantId, now());
  await refused(api, one.token);
  await store.revocations.revokeToken({
    id: two.jti,
    clientRecordId: api.clientRecordId,
    expires: now() + 600 * second,
    revokedAt: now(),
  });
  await refused(api, two.token);
  const { owner } = make.grant();
  const end = { id: three.grantId, clientRecordId: api.clientRecordId, subject: owner.subject };
  await store.transact(({ grants }) => grants.end([end], now()));
  await refused(api, three.token);
  assert.ok((await api.verifier.verify(four.token)).claims);

  const account = buildAccount({ username: 'anna' });
  await store.accounts.create(account);
  const ofAnna = make.grant().owner;
  const principal = { ...ofAnna.principal, name: account.username };
  const five = await api.issue({
    owner: { ...ofAnna, principal, subject: 'anna', identityProvider: 'password' },
  });
  await api.verifier.verify(five.token);
  await store.accounts.delete(account.username, now());
  await refused(api, five.token);

  assert.ok((await api.verifier.verify(kept.token)).claims);
  await store.clients.revokeTokens(api.clientRecordId, now());
  await refused(api, kept.token);
  await refused(api, four.token);
}

export function apiOptions({ baseUrl }: Served) {
  return {
    tokenInfoUrl: `${baseUrl}/v1/tokeninfo`,
    key: 'demo-resource-server',
    secret: 'demo-resource-server-secret',
    warn: () => {},
  };
}
