import { OAuthError, type Sealer } from '@watchword/protocol';
import type { IssuedToken } from '../callers/active-token.ts';
import type { Edit } from '../changes/edit.ts';
import { requireOnly, selectedBy, selectionParameters } from '../grants/selection.ts';
import { answerPage, linkNote, pageOf, pagingParameters, searchParameter } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { entityTag } from '../requests/entity-tags.ts';
import { filterOf, filterParameter, flagOf, noUuid, timeOf } from '../requests/parameters.ts';
import type { AdminAnswer, AdminHandler, AdminRequest, QueryParameter, Route } from '../route.ts';
import { timestampSchema } from '../schema/json-schema.ts';
import { readPatch, readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';
import type { AccessTokenAdministration, AccessTokenFields } from './access-token-administration.ts';
import { isAccessTokenId } from './jwts.ts';
import { accessTokenTag } from './own-token.ts';
import { accessTokenSchema, newAccessTokenSchema, tokenTextSchema } from './schema.ts';
import { accessTokenRecord } from './token-record.ts';
import type { AccessTokenFilter, AccessTokenPosition } from './token-sources.ts';

export interface AccessTokenRouteDependencies {
  readonly accessTokens: AccessTokenAdministration;
  readonly sealer: Sealer;
}

/** The list of access tokens. */
const accessTokensPath = '/admin/accessToken';

/** Which tokens are revoked together. */
const issuedSelection: readonly QueryParameter[] = [
  ...selectionParameters('tokens'),
  {
    name: 'since',
    isRequired: true,
    description: 'Only what was issued at this time or later, in epoch milliseconds.',
    schema: timestampSchema,
  },
];

/** Answers the routes of access tokens. */
function accessTokenHandlers({ accessTokens, sealer }: AccessTokenRouteDependencies) {
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

const one = `${accessTokensPath}/{id}`;
const tag = 'Access tokens';
const record = { $ref: '#/components/schemas/AccessToken' };

export function accessTokenRoutes(deps: AccessTokenRouteDependencies): Route[] {
  const handlers = accessTokenHandlers(deps);

  const change = {
    path: one,
    tag,
    scope: 'write',
    isConditional: true,
    answer: { status: 200, description: 'The record after the change.', schema: record, headers: ['ETag'] },
    errors: [400, 404, 409, 412],
  } as const;

  return [
    {
      id: 'listAccessTokens',
      method: 'GET',
      path: accessTokensPath,
      tag,
      summary: 'List access tokens',
      description: `Administrators get all opaque access tokens, other callers those that they granted; a client that acts for itself gets its own tokens. With clientId, owners also get the tokens with which that client acts for itself: all if it is theirs, or else what those give at resource servers of theirs. The newest tokens come first; with resourceOwnerId, the tokens of the newest grant. A JWT is not stored, and is in no list: it is found by its text. ${linkNote}`,
      scope: 'read',
      query: [
        searchParameter("the client's name, the clientId or the resource owner's name"),
        filterParameter('clientId', 'Only tokens of this client.'),
        filterParameter('resourceOwnerId', 'Only tokens of resource owners of this name.'),
        filterParameter(
          'expired',
          'true: only expired tokens. false: only tokens that have not expired.',
          'boolean',
        ),
        ...pagingParameters(),
      ],
      answer: pageOf(record),
      errors: [400],
      handle: handlers.list,
    },
    {
      id: 'createAccessToken',
      method: 'POST',
      path: accessTokensPath,
      tag,
      summary: 'Issue an access token',
      description:
        'Issues a token to a client of the caller. The caller is the resource owner of the token: a caller cannot issue a token for another resource owner. If the caller is a client that acts for itself, the client of the token acts for itself too. Only this answer contains the token.',
      scope: 'write',
      body: { schema: inputSchema(newAccessTokenSchema), isRequired: true },
      answer: {
        status: 201,
        description: 'The token is issued.',
        schema: { $ref: '#/components/schemas/AccessTokenWithValue' },
        headers: ['ETag', 'Location'],
      },
      errors: [400],
      handle: handlers.create,
    },
    {
      id: 'getAccessToken',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read an access token',
      description: 'Returns what the token represents, and never the token itself.',
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      errors: [400, 404],
      handle: handlers.find,
    },
    {
      id: 'lookUpAccessToken',
      method: 'POST',
      path: `${accessTokensPath}/lookup`,
      tag,
      summary: 'Find an access token by its text',
      description:
        'The text is in the body, so that it is in no address and in no log. An expired token is found until it is removed. An expired JWT is found while its signing key is published.',
      scope: 'read',
      body: { schema: inputSchema(tokenTextSchema), isRequired: true },
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      errors: [400, 404],
      handle: handlers.lookUp,
    },
    {
      ...change,
      id: 'replaceAccessToken',
      method: 'PUT',
      summary: 'Narrow the scopes of an access token and set its expiry',
      description: 'A JWT cannot be changed: the answer is a conflict.',
      body: { schema: inputSchema(accessTokenSchema), isRequired: true },
      handle: handlers.replace,
    },
    {
      ...change,
      id: 'changeAccessToken',
      method: 'PATCH',
      summary: 'Narrow the scopes of an access token, or change its expiry',
      description:
        'A merge patch (RFC 7396): a field that is left out does not change. A JWT cannot be changed: the answer is a conflict.',
      body: { schema: patchSchema(accessTokenSchema), isRequired: true },
      handle: handlers.change,
    },
    {
      id: 'revokeIssuedTokens',
      needsFreshLogin: true,
      method: 'DELETE',
      path: accessTokensPath,
      tag,
      summary: 'Revoke what was issued at a time or later',
      description:
        'since is required, and at least one of subject, clientId and resourceServerId, each with a value. No other parameter is accepted. A grant under which a token was issued since then is revoked with all its tokens, older ones and JWTs too; what its resource owner consented to is remembered. Of access tokens with which clients act for themselves, those that are stored are revoked one by one. JWTs are not stored: all tokens of a client that only acts for itself are revoked. For a client that acts for users too, or is of another owner, only the revocation of all its tokens ends them, and remaining names it. With resourceServerId, of tokens of clients of others only what they give there ends. Tokens that are issued at the same time are not revoked. If the request fails, a part can be revoked.',
      scope: 'write',
      query: issuedSelection,
      answer: {
        status: 200,
        description: 'What was revoked, and what was not.',
        schema: { $ref: '#/components/schemas/RevokedIssue' },
      },
      errors: [400],
      handle: handlers.revokeIssued,
    },
    {
      id: 'revokeAccessToken',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Revoke an access token',
      description:
        'The token is immediately invalid. A refresh token of the same grant stays valid. Of a part, only what the token gives at resource servers of the caller ends. Resource servers that verify JWTs themselves refuse the token within a second, if they read the list of revocations.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'The token is revoked.' },
      errors: [400, 404, 412],
      handle: handlers.revoke,
    },
  ];
}
