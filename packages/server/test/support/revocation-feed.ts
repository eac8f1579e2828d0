import assert from 'node:assert/strict';
import type { ResourceServer } from '@watchword/protocol';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import {
  type Answer,
  basic,
  demoResourceServer,
  type Served,
} from '@watchword/server-testkit/servers/server';
import { grantFactory } from '@watchword/testkit';
import { createLocalJWKSet, jwtVerify } from 'jose';

export const make = grantFactory('feed');
/** Seconds. */
export const day = 86_400;

export interface List {
  readonly cursor: string;
  readonly since?: string;
  readonly revoked: Record<'grants' | 'clients' | 'tokens' | 'keys', Record<string, number>>;
}

export interface Asked {
  readonly since?: string;
  readonly wait?: number | string;
  readonly prefer?: string;
  readonly credentials?: string;
}

export function ask(
  server: Pick<Served, 'get'>,
  {
    since,
    wait,
    prefer = wait === undefined ? undefined : `wait=${wait}`,
    credentials = demoResourceServer,
  }: Asked = {},
): Promise<Answer> {
  return server.get('/oauth2/revocations', {
    authorization: basic(credentials),
    ...(since !== undefined && { 'if-none-match': `"${since}"` }),
    ...(prefer !== undefined && { prefer }),
  });
}

/** The list of an answer, verified. */
export async function listOf(
  server: Served,
  answer: Answer,
  audience = 'demo-resource-server',
): Promise<List> {
  assert.equal(answer.status, 200, answer.text);
  const keys = createLocalJWKSet(JSON.parse((await server.get('/oauth2/jwks')).text));
  const { payload } = await jwtVerify(answer.text, keys, {
    typ: 'revocations+jwt',
    issuer: server.service.baseUrl,
    audience,
    requiredClaims: ['iat'],
  });
  assert.equal(answer.headers.get('etag'), `"${payload.cursor}"`);
  return payload as unknown as List;
}

/** Lets the clients of the demo resource server have JWTs, and registers one. */
export async function withJwts(server: Served): Promise<{ clientRecordId: number; clientId: string }> {
  await setFormat(server, 'jwt');
  const { client } = await registerClient(server, { clientName: 'Web shop', expireDuration: 600 });
  return { clientRecordId: client.id, clientId: client.clientId };
}

export async function setFormat(
  { service: { store } }: Served,
  accessTokenFormat: ResourceServer['accessTokenFormat'],
  key = 'demo-resource-server',
): Promise<void> {
  const { id } = (await store.resourceServers.find(key)) ?? assert.fail(key);
  await store.resourceServers.update(id, { accessTokenFormat });
  await store.refreshRegistry();
}

/** A grant of the client, with a code. */
export async function granted({ service: { store } }: Served, clientRecordId: number): Promise<string> {
  const creationDate = store.clock.now();
  const grant = make.grant({ clientRecordId, creationDate });
  await store.authorizationCodes.insert({ ...make.code(grant), expires: creationDate + day * 1000 }, grant);
  return grant.id;
}
