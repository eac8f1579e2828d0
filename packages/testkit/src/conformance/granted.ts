import assert from 'node:assert/strict';
import type { AccessToken, AuthorizationCode, Grant, RefreshToken } from '@watchword/protocol';
import type { GrantFactory } from '../builders/grant.ts';
import type { StoreUnderTest } from './store-conformance.ts';

export const start = Date.UTC(2026, 0, 1);

export interface Coded {
  readonly grant: Grant;
  readonly code: AuthorizationCode;
}

export interface Redeemed extends Coded {
  readonly accessToken: AccessToken;
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

/** The same after the token endpoint. */
export async function redeemed(
  store: StoreUnderTest,
  make: GrantFactory,
  overrides: Partial<Grant> = {},
): Promise<Redeemed> {
  const { grant, code } = await coded(store, make, overrides);
  const tokens = make.tokens(grant);
  assert.equal(await store.authorizationCodes.redeem(code.id, tokens, grant.creationDate), true);
  return { grant, code, ...tokens };
}

export interface Issued {
  readonly accessToken: AccessToken;
  readonly refreshToken: RefreshToken | undefined;
}

/** Which of the tokens are found, by the order they are given in. */
export async function alive(store: StoreUnderTest, ...issued: readonly Issued[]): Promise<boolean[]> {
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
