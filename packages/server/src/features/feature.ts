import type { DocumentClients, GrantType, RequestSource, TargetKind } from '@watchword/protocol';
import type { HttpAnswer } from '../http/answer.ts';
import type { Endpoint, Handler, Method } from '../http/endpoint.ts';
import type { HttpRequest } from '../http/request.ts';

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
  /** The clients that documents describe. */
  readonly documentClients?: DocumentClients;
  /** Where responses can go that no `response_mode` names. */
  readonly targetKinds?: readonly TargetKind[];
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

/** The registered records in memory. */
interface RecordsInMemory {
  /** Whether they were compared with the database a moment ago. */
  recordsAreCurrent(): boolean;
  /** Applies the changes of all nodes that were committed before the call. @throws StoreUnavailableError */
  refreshRegistry(): Promise<unknown>;
}

/**
 * How current the registered records must be when a request is handled. `current`: a change that was answered a second before
 * the request is known. `newest`: every change that was answered before the request is known.
 */
type Currency = 'current' | 'newest';

/**
 * The endpoint, whose handlers wait until the registered records are current. They nearly always are. If the database does not
 * answer, the request fails: the records could be older than a revocation on another node.
 */
function onRecords(endpoint: Endpoint, currency: Currency, records: RecordsInMemory): Endpoint {
  const isCurrent = currency === 'current' ? () => records.recordsAreCurrent() : () => false;
  const waiting =
    (handle: Handler) =>
    (request: HttpRequest): HttpAnswer | Promise<HttpAnswer> =>
      isCurrent() ? handle(request) : records.refreshRegistry().then(() => handle(request));
  const methods = Object.entries(endpoint.methods).map(
    ([method, handle]) => [method as Method, waiting(handle)] as const,
  );
  return { ...endpoint, methods: Object.fromEntries(methods) };
}
