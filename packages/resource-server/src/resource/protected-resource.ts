import type { Settings } from '../options/options.ts';
import type { ResourceMetadata } from '../options/token-verifier-options.ts';

/** The document of a protected resource (RFC 9728 §2). */
export interface ProtectedResourceMetadata extends ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly dpop_signing_alg_values_supported: readonly string[];
}

/** A URI of this API, and where its document is. */
export interface ProtectedResource {
  readonly uri: string;
  /** The member `resource_metadata` of challenges (RFC 9728 §5.1). */
  readonly metadataUrl: string;
  readonly metadata: ProtectedResourceMetadata;
}

/** One for each URI of the option `resource`. @param possession says how proofs can be signed, as far as it is known then */
export function protectedResources(
  { resource, resourceMetadata, issuer }: Settings,
  possession: { readonly algorithms: readonly string[] },
): readonly ProtectedResource[] {
  const { authorization_servers = [issuer as string], ...more } = resourceMetadata;
  return resource.map((uri) => ({
    uri,
    metadataUrl: metadataUrlOf(uri),
    metadata: {
      resource: uri,
      authorization_servers,
      bearer_methods_supported: ['header'],
      get dpop_signing_alg_values_supported() {
        return possession.algorithms;
      },
      ...more,
    },
  }));
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** Stands between host and path (RFC 9728 §3.1). */
function metadataUrlOf(uri: string): string {
  const { origin, path } = partsOf(uri);
  return `${origin}${wellKnown}${path.replace(/^\/(?=\?|$)/, '')}`;
}

/** Of several, the one that a request asks for; else the first. @param url where it was sent */
export function resourceAt(
  resources: readonly ProtectedResource[],
  url: string,
): ProtectedResource | undefined {
  const asked = partsOf(url);
  const within = resources.filter(({ uri }) => {
    const { host, path } = partsOf(uri);
    return host === asked.host && withSlash(asked.path).startsWith(withSlash(path));
  });
  const [nearest] = within.toSorted((a, b) => b.uri.length - a.uri.length);
  return nearest ?? resources[0];
}

/** The one whose document a request asks for. Behind a proxy the name of the host can be another one, so the path is enough. */
export function documentedAt(
  resources: readonly ProtectedResource[],
  url: string,
): ProtectedResource | undefined {
  if (!url.includes(wellKnown)) return undefined;
  const asked = partsOf(url);
  const there = resources.filter(({ metadataUrl }) => partsOf(metadataUrl).path === asked.path);
  return there.find(({ uri }) => partsOf(uri).host === asked.host) ?? there[0];
}

/** The values of `aud` that mean this API, in both spellings of a URI without a path. The key is that of tokens from before it had URIs. */
export function audiencesOf({ key, resource }: Pick<Settings, 'key' | 'resource'>): string[] {
  return [
    key,
    ...resource.flatMap((uri) => {
      const { origin, path } = partsOf(uri);
      const query = path.replace(/^\//, '');
      return query === '' || query.startsWith('?') ? [`${origin}${query}`, `${origin}/${query}`] : [uri];
    }),
  ];
}

function partsOf(url: string): { origin: string; host: string; path: string } {
  const [, origin = '', host = '', path = ''] = /^(\w+:\/\/([^/?]*))(.*)$/.exec(url) ?? [];
  return { origin, host: host.toLowerCase(), path };
}

function withSlash(path: string): string {
  return `${path.replace(/\?.*/, '').replace(/\/$/, '')}/`;
}
