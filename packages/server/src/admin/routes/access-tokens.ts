import {
  type AccessTokenAdministration,
  type AccessTokenFields,
  type AccessTokenFilter,
  type AccessTokenPosition,
  accessTokenRecord,
  accessTokenTag,
  type Edit,
  type IssuedToken,
  type PageRequest,
  type Sealer,
} from '@watchword/protocol';
import { entityTag } from '../entity-tags.ts';
import { answerPage, linkNote, pagingParameters, searchParameter } from '../listing.ts';
import { tokenId } from '../path-ids.ts';
import { filterOf, flagOf } from '../query-values.ts';
import { accessTokenSchema, newAccessTokenSchema } from '../records/access-token.ts';
import type { AdminAnswer, AdminRequest, Route } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';

export interface AccessTokenRouteDependencies {
  readonly accessTokens: AccessTokenAdministration;
  readonly sealer: Sealer;
}

const collection = '/admin/accessToken';
const one = `${collection}/{id}`;
const tag = 'Access tokens';
const record = { $ref: '#/components/schemas/AccessToken' };

export function accessTokenRoutes(deps: AccessTokenRouteDependencies): Route[] {
  const { accessTokens, sealer } = deps;

  const update = async (request: AdminRequest, edit: Edit<AccessTokenFields>): Promise<AdminAnswer> => {
    const { caller, condition } = request;
    const conditional = { ...edit, ...(condition && { condition }) };
    return answerOne(await accessTokens.update(caller, tokenId(request), conditional));
  };

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
      path: collection,
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
      handle: (request) => {
        const filter = readFilter(request);
        return answerPage(
          request,
          { path: collection, filters: ['q', 'clientId', 'resourceOwnerId', 'expired'] },
          sealer,
          (page: PageRequest<AccessTokenPosition>) => accessTokens.list(request.caller, filter, page),
          accessTokenRecord,
        );
      },
    },
    {
      id: 'createAccessToken',
      method: 'POST',
      path: collection,
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
      handle: async ({ caller, body, prefix }) => {
        const { given, whole, malformed } = await readRecord(newAccessTokenSchema, body());
        const asked = { clientId: whole.clientId, scopes: given.scopes, expires: given.expires };
        const { token, value } = await accessTokens.create(caller, asked, malformed);
        const headers = { location: `${prefix}${collection}/${token.id}`, ...tagOf(token) };
        return { status: 201, body: { ...accessTokenRecord(token), token: value }, headers };
      },
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
      handle: async (request) => answerOne(await accessTokens.find(request.caller, tokenId(request))),
    },
    {
      ...change,
      id: 'replaceAccessToken',
      method: 'PUT',
      summary: 'Narrow the scopes of an access token, change its expiry',
      body: { schema: inputSchema(accessTokenSchema), isRequired: true },
      handle: async (request) => {
        const { given, malformed } = await readRecord(accessTokenSchema, request.body());
        return update(request, { apply: (current) => ({ ...current, ...given }), malformed });
      },
    },
    {
      ...change,
      id: 'changeAccessToken',
      method: 'PATCH',
      summary: 'Narrow the scopes of an access token, or change its expiry',
      description: 'A merge patch (RFC 7396): what is left out stays as it is.',
      body: { schema: patchSchema(accessTokenSchema), isRequired: true },
      handle: async (request) => update(request, await readPatch(accessTokenSchema, request.body())),
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
      handle: async (request) => {
        await accessTokens.revoke(request.caller, tokenId(request), request.condition);
        return { status: 204 };
      },
    },
  ];
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
