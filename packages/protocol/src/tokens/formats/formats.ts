import type { AccessTokenFormatName } from '../../model/records/access-token.ts';
import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import { parseBearerValue } from '../bearer-value.ts';
import type { AccessTokenFormat, FoundByText } from './access-token-format.ts';
import { isJwt, type JwtDependencies, jwtFormat } from './jwt.ts';
import { type OpaqueDependencies, opaqueFormat } from './opaque.ts';

export type FormatDependencies = OpaqueDependencies & JwtDependencies;

interface FormatTarget {
  readonly resourceServer: Pick<ResourceServer, 'accessTokenFormat'>;
}

/** The formats of access tokens. */
export interface AccessTokenFormats {
  /**
   * The format of new tokens for the resource servers: a JWT only where all of them take it. A client with pairwise subjects gets none: it could
   * read the public `sub` in it (OpenID Connect Core §8).
   */
  of(targets: readonly FormatTarget[], client?: Pick<Client, 'subjectType'>): AccessTokenFormat;
  /** Finds the token with this text, by the format that wrote it; `undefined` for any text that is no valid token of this server. */
  find(value: string): Promise<FoundByText | undefined>;
}

export function accessTokenFormats(deps: FormatDependencies): AccessTokenFormats {
  const formats: Readonly<Record<AccessTokenFormatName, AccessTokenFormat>> = {
    opaque: opaqueFormat(deps),
    jwt: jwtFormat(deps),
  };
  return {
    of: (targets, client) =>
      formats[
        targets.length > 0 && client?.subjectType !== 'pairwise' && targets.every(takesJwts)
          ? 'jwt'
          : 'opaque'
      ],
    find: (value) => formats[isJwt(value) ? 'jwt' : 'opaque'].find(value),
  };
}

function takesJwts({ resourceServer }: FormatTarget): boolean {
  return resourceServer.accessTokenFormat === 'jwt';
}

/** Whether the text has the form of an access token of this server. */
export function canBeAccessToken(value: string): boolean {
  return isJwt(value) || parseBearerValue('access', value) !== undefined;
}
