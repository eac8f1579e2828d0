import { accessTokenIssuer, type IssuerDependencies } from '../tokens/issue-access-token.ts';
import { type AuthorizationCodeDependencies, authorizationCodeGrant } from './authorization-code.ts';
import { clientCredentialsGrant } from './client-credentials.ts';
import type { GrantType } from './grant-type.ts';
import { type RefreshTokenDependencies, refreshTokenGrant } from './refresh-token.ts';

export type GrantTypeDependencies = IssuerDependencies &
  AuthorizationCodeDependencies &
  RefreshTokenDependencies;

/** The table of grant types: a new one is a file in this folder and an entry here. */
export function grantTypesOf(deps: GrantTypeDependencies): readonly GrantType[] {
  return [
    clientCredentialsGrant(accessTokenIssuer(deps)),
    authorizationCodeGrant(deps),
    refreshTokenGrant(deps),
  ];
}
