import { linkNote, pagingParameters, searchParameter } from '../listing.ts';
import { accessTokenSchema, newAccessTokenSchema, tokenTextSchema } from '../records/access-token.ts';
import type { Route } from '../route.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';
import {
  type AccessTokenRouteDependencies,
  accessTokenHandlers,
  accessTokensPath,
} from './access-token-handlers.ts';

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
    answer: { status: 200, description: 'As it is now.', schema: record, headers: ['ETag'] },
    refusals: [400, 404, 412],
  } as const;

  return [
    {
      id: 'listAccessTokens',
      method: 'GET',
      path: accessTokensPath,
      tag,
      summary: 'List access tokens',
      description: `Those that the caller granted, to administrators all; to a client that acts for itself its own, or with clientId those in which a client of its own acts for itself. The newest first; of one resource owner, those of the newest grant first. ${linkNote}`,
      scope: 'read',
      query: [
        searchParameter("the client's name, the clientId or the resource owner's name"),
        {
          name: 'clientId',
          description: 'Only those of this client.',
          schema: { type: 'string' },
        },
        {
          name: 'resourceOwnerId',
          description: 'Only those of resource owners of this name.',
          schema: { type: 'string' },
        },
        {
          name: 'expired',
          description: 'Only those that have expired, or only those that have not.',
          schema: { type: 'boolean' },
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of them.',
        schema: { type: 'array', items: record },
        headers: ['Link'],
      },
      refusals: [400],
      handle: handlers.list,
    },
    {
      id: 'createAccessToken',
      method: 'POST',
      path: accessTokensPath,
      tag,
      summary: 'Issue an access token',
      description:
        'For a client of the caller. The caller is its resource owner: no caller can issue a token for another resource owner. When the caller is a client that acts for itself, so does the client of the token. Only this answer has the token.',
      scope: 'write',
      body: { schema: inputSchema(newAccessTokenSchema), isRequired: true },
      answer: {
        status: 201,
        description: 'It is issued.',
        schema: { $ref: '#/components/schemas/AccessTokenWithValue' },
        headers: ['ETag', 'Location'],
      },
      refusals: [400],
      handle: handlers.create,
    },
    {
      id: 'getAccessToken',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read an access token',
      description: 'What it represents; never the token itself.',
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      refusals: [400, 404],
      handle: handlers.find,
    },
    {
      id: 'lookUpAccessToken',
      method: 'POST',
      path: `${accessTokensPath}/lookup`,
      tag,
      summary: 'Find an access token by its text',
      description:
        'The text is in the body, so that it is in no address and in no log. An expired token is found until it is removed.',
      scope: 'read',
      body: { schema: inputSchema(tokenTextSchema), isRequired: true },
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      refusals: [400, 404],
      handle: handlers.lookUp,
    },
    {
      ...change,
      id: 'replaceAccessToken',
      method: 'PUT',
      summary: 'Narrow the scopes of an access token, change its expiry',
      body: { schema: inputSchema(accessTokenSchema), isRequired: true },
      handle: handlers.replace,
    },
    {
      ...change,
      id: 'changeAccessToken',
      method: 'PATCH',
      summary: 'Narrow the scopes of an access token, or change its expiry',
      description: 'A merge patch (RFC 7396): what is left out stays as it is.',
      body: { schema: patchSchema(accessTokenSchema), isRequired: true },
      handle: handlers.change,
    },
    {
      id: 'revokeAccessToken',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Revoke an access token',
      description: 'It is no longer valid, at once. A refresh token of the same grant stays valid.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'It is revoked.' },
      refusals: [400, 404, 412],
      handle: handlers.revoke,
    },
  ];
}
