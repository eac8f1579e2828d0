import type { Asset } from '../pages/assets.ts';
import type { HttpAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpRequest } from './request.ts';

/** An SVG picture of the operator is a document when a browser opens it. It must not run scripts or load anything. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const caching = 'public, max-age=31536000, immutable';

/** `GET {base}/assets/{name}.{hash}.{extension}`: one address for each file, so no other file can be requested. */
export function assetRoutes(assets: readonly Asset[]): Endpoint[] {
  return assets.map((asset) => ({
    path: asset.path,
    label: '/assets/:file',
    methods: { GET: (request) => answerOf(asset, request) },
  }));
}

function answerOf({ type, etag, content }: Asset, { headers: asked }: HttpRequest): HttpAnswer {
  const headers = {
    etag,
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'same-origin',
  };
  if (matches(asked['if-none-match'], etag)) return { status: 304, headers, caching };
  return { headers: { ...headers, 'content-type': type }, body: content, caching };
}

/** RFC 9110 §13.1.2, by weak comparison. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
