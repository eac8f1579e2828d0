import { OAuthError, type Sealer } from '@watchword/protocol';
import type { Edit } from '../changes/edit.ts';
import { requireOnly, selectedBy, selectionParameters } from '../grants/selection.ts';
import { answerPage } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { accessTokenRecord, type IssuedToken } from '../records.ts';
import { entityTag } from '../requests/entity-tags.ts';
import { noUuid } from '../requests/path-ids.ts';
import { filterOf, flagOf, timeOf } from '../requests/query-values.ts';
import type { AdminAnswer, AdminHandler, AdminRequest, QueryParameter } from '../route.ts';
import { readPatch, readRecord, rejectMalformed } from '../schema/read-record.ts';
import { timestampSchema } from '../schema/timestamp.ts';
import type { AccessTokenAdministration, AccessTokenFields } from './access-token-administration.ts';
import { isAccessTokenId } from './jwt-address.ts';
import { accessTokenTag } from './own-token.ts';
import { accessTokenSchema, newAccessTokenSchema, tokenTextSchema } from './schema.ts';
import type { AccessTokenFilter, AccessTokenPosition } from './token-sources.ts';

export interface AccessTokenRouteDependencies {
  readonly accessTokens: AccessTokenAdministration;
  readonly sealer: Sealer;
}

/** The list of access tokens. */
export const accessTokensPath = '/admin/accessToken';

/** Which tokens are revoked together. */
export const issuedSelection: readonly QueryParameter[] = [
  ...selectionParameters('tokens'),
  {
    name: 'since',
    isRequired: true,
    description: 'Only what was issued at this time or later, in epoch milliseconds.',
    schema: timestampSchema,
  },
];

/** Answers the routes of access tokens. */
export function accessTokenHandlers({ accessTokens, sealer }: AccessTokenRouteDependencies) {
  const update = async (request: AdminRequest, edit: Edit<AccessTokenFields>): Promise<AdminAnswer> => {
    const { caller, condition } = request;
    const conditional = { ...edit, ...(condition && { condition }) };
    return answerOne(await accessTokens.update(caller, tokenId(request), conditional));
  };

  return {
    list: (request) => {
      const filter = readFilter(request);
      return answerPage(
        request,
        { path: accessTokensPath, filters: ['q', 'clientId', 'resourceOwnerId', 'expired'] },
        sealer,
        (page: PageRequest<AccessTokenPosition>) => accessTokens.list(request.caller, filter, page),
        accessTokenRecord,
      );
    },

    create: async ({ caller, body, prefix }) => {
      const { given, whole, malformed } = await readRecord(newAccessTokenSchema, body());
      const asked = { clientId: whole.clientId, scopes: given.scopes, expires: given.expires };
      const { token, value } = await accessTokens.create(caller, asked, malformed);
      const headers = { location: `${prefix}${accessTokensPath}/${token.id}`, ...tagOf(token) };
      return { status: 201, body: { ...accessTokenRecord(token), token: value }, headers };
    },

    find: async (request) => answerOne(await accessTokens.find(request.caller, tokenId(request))),

    lookUp: async ({ caller, body }) => {
      const { whole, malformed } = await readRecord(tokenTextSchema, body());
      rejectMalformed(malformed);
      return answerOne(await accessTokens.lookUp(caller, whole.token.trim()));
    },

    replace: async (request) => {
      const { given, malformed } = await readRecord(accessTokenSchema, request.body());
      return update(request, { apply: () => given, malformed });
    },

    change: async (request) => update(request, await readPatch(accessTokenSchema, request.body())),

    revokeIssued: async (request) => {
      requireOnly(request, issuedSelection);
      const since = timeOf(request, 'since');
      if (since === undefined) throw withoutSince();
      const revoked = await accessTokens.revokeIssued(request.caller, { ...selectedBy(request), since });
      return { status: 200, body: revoked };
    },

    revoke: async (request) => {
      await accessTokens.revoke(request.caller, tokenId(request), request.condition);
      return { status: 204 };
    },
  } satisfies Readonly<Record<string, AdminHandler>>;
}

function withoutSince(): OAuthError {
  return new OAuthError('invalid_request', {
    rule: 'required_parameter',
    description:
      'The parameter since is missing: the time from which on tokens are revoked, in epoch milliseconds.',
  });
}

function readFilter(request: AdminRequest): AccessTokenFilter {
  return {
    q: filterOf(request, 'q'),
    clientId: filterOf(request, 'clientId'),
    resourceOwnerId: filterOf(request, 'resourceOwnerId'),
    expired: flagOf(request, 'expired'),
  };
}

function answerOne(token: IssuedToken): AdminAnswer {
  return { status: 200, body: accessTokenRecord(token), headers: tagOf(token) };
}

function tagOf(token: IssuedToken) {
  return { etag: entityTag(accessTokenTag(token)) };
}

/** The id of the path. A text that cannot be an id is the id of none. */
function tokenId({ path }: AdminRequest): string {
  const given = path.id ?? '';
  return isAccessTokenId(given) ? given : noUuid;
}
