import { linkNote, pagingParameters, searchParameter } from '../lists/listing.ts';
import type { Route } from '../route.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';
import {
  type AccessTokenRouteDependencies,
  accessTokenHandlers,
  accessTokensPath,
  issuedSelection,
} from './handlers.ts';
import { accessTokenSchema, newAccessTokenSchema, tokenTextSchema } from './schema.ts';

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
      description: `Administrators get all opaque access tokens, other callers those that they granted. A client that acts for itself gets its own tokens; with clientId, it gets the tokens with which that client, which must be its own, acts for itself. The newest tokens come first; with resourceOwnerId, the tokens of the newest grant. A JWT is not stored, and is in no list: it is found by its text. ${linkNote}`,
      scope: 'read',
      query: [
        searchParameter("the client's name, the clientId or the resource owner's name"),
        {
          name: 'clientId',
          description: 'Only tokens of this client.',
          schema: { type: 'string' },
        },
        {
          name: 'resourceOwnerId',
          description: 'Only tokens of resource owners of this name.',
          schema: { type: 'string' },
        },
        {
          name: 'expired',
          description: 'true: only expired tokens. false: only tokens that have not expired.',
          schema: { type: 'boolean' },
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of the list.',
        schema: { type: 'array', items: record },
        headers: ['Link'],
      },
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
      method: 'DELETE',
      path: accessTokensPath,
      tag,
      summary: 'Revoke what was issued at a time or later',
      description:
        'since is required, and at least one of subject, clientId and resourceServerId, each with a value. No other parameter is accepted. A grant under which a token was issued since then is revoked with all its tokens, older ones and JWTs too; what its resource owner consented to is remembered. Of access tokens with which clients act for themselves, those that are stored are revoked one by one. JWTs are not stored: all tokens of a client that only acts for itself are revoked. For a client that acts for users too, only the revocation of all its tokens ends them, and remaining names it. Tokens that are issued at the same time are not revoked. If the request fails, a part can be revoked.',
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
        'The token is immediately invalid. A refresh token of the same grant stays valid. Resource servers that verify JWTs themselves refuse the token within a second, if they read the list of revocations.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'The token is revoked.' },
      errors: [400, 404, 412],
      handle: handlers.revoke,
    },
  ];
}
