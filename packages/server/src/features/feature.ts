import type { GrantType } from '@watchword/protocol';
import type { Endpoint } from '../http/endpoint.ts';

/** One thing that the server does. All features have this shape; `compose.ts` lists them. */
export interface Feature {
  /** What it serves. Paths begin after the path of the base URL. */
  readonly endpoints?: readonly Endpoint[];
  /** What it serves at paths of the host, whatever path the base URL has. */
  readonly hostEndpoints?: readonly Endpoint[];
  /** What it adds to the token endpoint. */
  readonly grantTypes?: readonly GrantType[];
  /** Members that it adds to the metadata of the authorization server (RFC 8414 §2). */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Begins its work, before the server answers requests.
   *
   * @returns what ends the work again; it runs after the last request is answered
   */
  start?(): Stop | undefined | Promise<Stop | undefined>;
}

export type Stop = () => void | Promise<void>;

/**
 * Starts features, one after the other. When one fails, those before it are stopped.
 *
 * @returns the features that run; disposing of it stops them, the last one first
 */
export async function startInOrder(features: readonly Feature[]): Promise<AsyncDisposableStack> {
  await using started = new AsyncDisposableStack();
  for (const feature of features) {
    const stop = await feature.start?.();
    if (stop !== undefined) started.defer(stop);
  }
  return started.move();
}

/** All endpoints of features. @param prefix path of the base URL, `''` when it has none */
export function endpointsOf(features: readonly Feature[], prefix: string): Endpoint[] {
  return features.flatMap(({ endpoints = [], hostEndpoints = [] }) => [
    ...endpoints.map((endpoint) => ({ ...endpoint, path: `${prefix}${endpoint.path}` })),
    ...hostEndpoints,
  ]);
}
