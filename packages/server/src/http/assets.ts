import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asset } from '../pages/assets.ts';
import type { Endpoint } from './endpoint.ts';

/** A picture of the operator's, opened on its own, is a document: it may run nothing and load nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** `GET {base}/assets/{name}.{hash}.{extension}`, one address a file, so that there is nothing else to find. */
export function assetRoutes(assets: readonly Asset[]): Endpoint[] {
  return assets.map((asset) => ({
    path: asset.path,
    methods: { GET: async (request, reply) => send(asset, request, reply) },
  }));
}

function send(
  { type, etag, content }: Asset,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer | undefined {
  reply
    .removeHeader('pragma')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('etag', etag)
    .header('content-security-policy', policy)
    .header('cross-origin-resource-policy', 'same-origin');
  if (matches(request.headers['if-none-match'], etag)) {
    reply.code(304).send();
    return undefined;
  }
  reply.type(type);
  return content;
}

/** RFC 9110 §13.1.2, by weak comparison. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
