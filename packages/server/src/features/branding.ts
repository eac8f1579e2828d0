import { draftLifetime, previewPath } from '@watchword/administration';
import { OAuthError } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { HttpAnswer } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { queryValue } from '../http/form.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Asset } from '../pages/assets.ts';
import { brandOf } from '../pages/brand.ts';
import { pageStates } from '../pages/states/states.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<Core, 'clock' | 'pageAnswers' | 'pages' | 'prefix' | 'store'>;

/** What administrators made of the pages: pages show it, and drafts of it in previews. */
export function branding(parts: Parts): Feature {
  const { pages, store } = parts;
  let revision = 0;
  const read = async () => {
    if ((await store.branding.revision()) === revision) return;
    const found = await store.branding.find();
    if (found === undefined || found.revision === revision) return;
    revision = found.revision;
    pages.brand(brandOf(found.branding));
  };
  const previews = previewsOf(parts);
  return {
    endpoints: [assetRoute(parts, read, previews.prepare), previews.endpoint],
    records: 'unused',
    async start() {
      await read();
      store.followChanges(read);
      return undefined;
    },
  };
}

type Show = (request: HttpRequest, state: (typeof pageStates)[number]) => HttpAnswer;

// Drafts of the last minutes.
const mostDrafts = 8;

/** `GET {base}/client/preview/{draft}/{state}`: a page with a draft, for the administration GUI, which shows it in a frame. */
function previewsOf({ clock, pageAnswers, pages, store }: Parts) {
  const ready = new Map<string, { readonly show: Show; readonly expires: number }>();
  /** @throws OAuthError `unknown_address` if there is no such draft any more */
  const prepare = async (draft: string): Promise<Show> => {
    const known = ready.get(draft);
    if (known !== undefined && known.expires > clock.now()) return known.show;
    const found = await store.branding.findDraft(draft);
    const expires = (found?.modificationDate ?? 0) + draftLifetime;
    if (found === undefined || expires <= clock.now()) throw new OAuthError('unknown_address');
    const render = pages.preview(brandOf(found.branding), `?draft=${draft}`);
    const show: Show = (request, { page }) =>
      pageAnswers.show(request, page, { language: queryValue(request, 'language'), isFramed: true, render });
    if (ready.size >= mostDrafts) ready.clear();
    ready.set(draft, { show, expires });
    return show;
  };
  const endpoint: Endpoint = {
    path: `${previewPath}/:draft/:state`,
    page: true,
    methods: {
      async GET(request) {
        const { draft = '', state: name } = request.parameters;
        const state = pageStates.find((each) => each.name === name);
        // Nobody is to take a draft for a page of this server.
        const isFrame = ['iframe', undefined].includes(
          request.headers['sec-fetch-dest'] as string | undefined,
        );
        if (state === undefined || !isFrame) throw new OAuthError('unknown_address');
        return (await prepare(draft))(request, state);
      },
    },
  };
  return { endpoint, prepare };
}

/**
 * `GET {base}/assets/{name}.{hash}.{extension}`: the files that pages refer to, and no other. Another node can have made the page,
 * with a branding that this one does not know yet.
 */
function assetRoute(
  { pages }: Parts,
  read: () => Promise<void>,
  prepare: (draft: string) => Promise<unknown>,
): Endpoint {
  const unknown = async (path: string, request: HttpRequest) => {
    const draft = queryValue(request, 'draft');
    await (draft === undefined ? read() : prepare(draft));
    const asset = pages.asset(path);
    if (asset === undefined) throw new OAuthError('unknown_address');
    return answerOf(asset, request);
  };
  return {
    path: '/assets/:file',
    methods: {
      GET(request) {
        const path = `/assets/${request.parameters.file}`;
        const asset = pages.asset(path);
        return asset === undefined ? unknown(path, request) : answerOf(asset, request);
      },
    },
  };
}

/** An SVG picture of the operator is a document when a browser opens it. It must not run scripts or load anything. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const caching = 'public, max-age=31536000, immutable';

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
