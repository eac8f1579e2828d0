import assert from 'node:assert/strict';
import {
  type AuthorizationCode,
  type Grant,
  type Identity,
  identityOf,
  type RefreshToken,
  type StoredAccessToken,
} from '@watchword/protocol';
import { tokenFactory } from '../../builders/access-token.ts';
import type { GrantFactory } from '../../builders/grant.ts';
import { buildSubject } from '../../builders/resource-owner.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

export const start = Date.UTC(2026, 0, 1);

/** The owner of the grants of the factory. */
export const emma: Identity = { identityProvider: 'password', name: 'emma' };

export interface Coded {
  readonly grant: Grant;
  readonly code: AuthorizationCode;
}

export interface Redeemed extends Coded {
  readonly accessToken: StoredAccessToken;
  readonly refreshToken: RefreshToken;
}

/** A grant with its code, as the authorization endpoint leaves it. */
export async function coded(
  { authorizationCodes }: StoreUnderTest,
  make: GrantFactory,
  overrides: Partial<Grant> = {},
): Promise<Coded> {
  const grant = make.grant(overrides);
  const code = make.code(grant);
  await authorizationCodes.insert(code, grant);
  return { grant, code };
}

/** A grant with its redeemed code and its tokens, as the token endpoint leaves it. */
export async function redeemed(
  store: StoreUnderTest,
  make: GrantFactory,
  overrides: Partial<Grant> = {},
): Promise<Redeemed> {
  const { grant, code } = await coded(store, make, overrides);
  const tokens = make.tokens(grant);
  assert.ok(await store.authorizationCodes.redeem(code.id, tokens, grant.creationDate));
  return { grant, code, ...tokens };
}

/** A grant with its token, as the implicit grant leaves it. */
export async function implicit(store: StoreUnderTest, grant: Grant, expires = start + 1000) {
  const make = tokenFactory(grant.id);
  const { id: grantId, clientRecordId, creationDate } = grant;
  const token = make({ grantId, clientRecordId, creationDate, expires });
  await store.grants.insert(grant, token);
  return token;
}

/** Remembers a consent that was given with the grant. */
export async function consented(
  store: StoreUnderTest,
  { id, owner, clientRecordId, creationDate }: Grant,
  scopes = ['read'],
  redirectUri = 'https://app.example/cb',
) {
  const key = { owner: identityOf(owner), subject: owner.subject, clientRecordId, redirectUri };
  await store.consents.save({ key, scopes, savedAt: creationDate }, id);
  return key;
}

/** The ids of the owner's grants that are listed. */
export async function listed(store: StoreUnderTest, owner: Identity, now = start): Promise<string[]> {
  return (await store.grants.listBySubject(buildSubject(owner), now)).map(({ grant }) => grant.id);
}

export interface Issued {
  readonly accessToken: StoredAccessToken;
  readonly refreshToken: RefreshToken | undefined;
}

/** For each token, in order, whether the store finds it. */
export async function areFound(store: StoreUnderTest, ...issued: readonly Issued[]): Promise<boolean[]> {
  const found = await Promise.all(
    issued.flatMap(({ accessToken, refreshToken }) => [
      store.accessTokens.find(accessToken.id),
      ...(refreshToken === undefined ? [] : [store.refreshTokens.find(refreshToken.id)]),
    ]),
  );
  return found.map((token) => token !== undefined);
}

/** Makes byte arrays comparable: a Buffer and an array of the same content are equal here. */
export function plain<Record extends { readonly verifierHash: Uint8Array }>(record: Record | undefined) {
  return record && { ...record, verifierHash: Buffer.from(record.verifierHash).toString('hex') };
}
