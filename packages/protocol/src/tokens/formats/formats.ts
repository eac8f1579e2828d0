import type { AccessTokenFormatName } from '../../model/records/access-token.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import { parseBearerValue } from '../bearer-value.ts';
import type { AccessTokenFormat, FoundByText } from './access-token-format.ts';
import { isJwt, type JwtDependencies, jwtFormat } from './jwt.ts';
import { type OpaqueDependencies, opaqueFormat } from './opaque.ts';

export type FormatDependencies = OpaqueDependencies & JwtDependencies;

/** The formats of access tokens. */
export interface AccessTokenFormats {
  /** The format of new tokens for the resource server. */
  of(resourceServer: Pick<ResourceServer, 'accessTokenFormat'>): AccessTokenFormat;
  /** Finds the token with this text, by the format that wrote it; `undefined` for any text that is no valid token of this server. */
  find(value: string): Promise<FoundByText | undefined>;
}

export function accessTokenFormats(deps: FormatDependencies): AccessTokenFormats {
  const formats: Readonly<Record<AccessTokenFormatName, AccessTokenFormat>> = {
    opaque: opaqueFormat(deps),
    jwt: jwtFormat(deps),
  };
  return {
    of: ({ accessTokenFormat }) => formats[accessTokenFormat],
    find: (value) => formats[isJwt(value) ? 'jwt' : 'opaque'].find(value),
  };
}

/** Whether the text has the form of an access token of this server. */
export function canBeAccessToken(value: string): boolean {
  return isJwt(value) || parseBearerValue('access', value) !== undefined;
}
