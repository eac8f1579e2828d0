import type { GrantType, RequestSource } from '@watchword/protocol';
import { type Currency, onRecords, type RecordsInMemory } from '../http/current-records.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** One feature of the server. All features have this shape. `compose.ts` lists them. */
export interface Feature {
  /** Its endpoints. Paths begin after the path of the base URL. */
  readonly endpoints?: readonly Endpoint[];
  /** Its endpoints at paths of the host, independent of the path of the base URL. */
  readonly hostEndpoints?: readonly Endpoint[];
  /** How current its endpoints need the registered records. `unused`: they do not use them. Default: `current`. */
  readonly records?: Currency | 'unused';
  /** Grant types that it adds to the token endpoint. */
  readonly grantTypes?: readonly GrantType[];
  /** Where else authorization requests can be that it reads. */
  readonly requestSources?: readonly RequestSource[];
  /** Members that it adds to the metadata of the authorization server (RFC 8414 §2). */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Starts the feature, before the server answers requests.
   *
   * @returns a function that stops it, called after the last request is answered
   */
  start?(): Stop | undefined | Promise<Stop | undefined>;
}

export type Stop = () => void | Promise<void>;

/**
 * Starts features, one after the other. When one fails, those before it are stopped.
 *
 * @returns a stack that stops the features when it is disposed, the last one first
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
export function endpointsOf(
  features: readonly Feature[],
  prefix: string,
  inMemory: RecordsInMemory,
): Endpoint[] {
  return features.flatMap(({ endpoints = [], hostEndpoints = [], records = 'current' }) => {
    const all = [...endpoints.map((endpoint) => below(prefix, endpoint)), ...hostEndpoints];
    return records === 'unused' ? all : all.map((endpoint) => onRecords(endpoint, records, inMemory));
  });
}

function below(prefix: string, endpoint: Endpoint): Endpoint {
  const { path, label } = endpoint;
  return {
    ...endpoint,
    path: `${prefix}${path}`,
    ...(label !== undefined && { label: `${prefix}${label}` }),
  };
}
