import { OAuthError, RedirectableError } from '../model/errors/errors.ts';
import type { Client } from '../model/records/client.ts';
import type { IdTokenHintDependencies } from '../openid/id-token-hint.ts';
import type { Browser } from './browser.ts';
import { withIdTokenHint } from './id-token-hint.ts';
import { type AuthorizationParameters, namedClientId } from './parameters.ts';
import { forbidsPages } from './request/prompt.ts';
import {
  errorForClient,
  type RequestCarrier,
  type RequestDependencies,
  type RequestReading,
  readAuthorizationRequest,
} from './request/read-request.ts';
import { oversizeError } from './request/request-size.ts';
import { describedClient, isOfDocument } from './request/requesting-client.ts';
import type { ResponseTarget } from './targets/target-kind.ts';

export interface IncomingDependencies extends RequestDependencies, IdTokenHintDependencies {
  /** The first one that has the request reads it. Default: each request has its parameters with it. */
  readonly requestSources?: readonly RequestSource[];
}

/** Where a request is, if what came stands for it, or for a part of it. No source knows another. */
export interface RequestSource {
  has(parameters: AuthorizationParameters): boolean;
  /**
   * Reads the request, whatever is wrong with it. It can be read again before it begins.
   *
   * @param plain reads a request with all its parameters, of a client that is registered
   * @param source network address of the browser, or of the client that pushes the request
   */
  read(parameters: AuthorizationParameters, plain: ReadPlain, source: string): Promise<IncomingRequest>;
}

/** @param carrier what this source adds to what carried the request so far */
type ReadPlain = (parameters: AuthorizationParameters, carrier?: RequestCarrier) => Promise<IncomingRequest>;

/** An authorization request as it came, and what it means. */
export interface IncomingRequest {
  readonly reading: RequestReading;
  /** The client that the request names, also if the rest is invalid. */
  readonly client: Client | undefined;
  /** All its parameters, wherever they were. */
  readonly parameters: AuthorizationParameters;
  /** Whether the client forbids the server to show a page. The rest of the request can be invalid. */
  readonly forbidsPages: boolean;
  /** What brought it. */
  readonly carrier?: RequestCarrier | undefined;
}

/**
 * The one place that reads a request. It is asynchronous, because what the request names can be elsewhere: the request itself, the
 * changes of another node, the key of an ID token.
 */
export function readIncoming(
  parameters: AuthorizationParameters,
  browser: Pick<Browser, 'source'>,
  deps: IncomingDependencies,
  carrier?: RequestCarrier,
): Promise<IncomingRequest> {
  const source = deps.requestSources?.find((source) => source.has(parameters));
  if (source === undefined) return readPlain(parameters, browser, deps, carrier);
  const plain: ReadPlain = (all, own) => readPlain(all, browser, deps, { ...carrier, ...own });
  return source.read(parameters, plain, browser.source);
}

/** What the answer to a request will be. */
export interface ForeseenAnswer extends Pick<IncomingRequest, 'forbidsPages'> {
  /** Where the response goes; an error for the resource owner if it goes nowhere. */
  readonly target: ResponseTarget | OAuthError;
}

export function foreseen({ reading, forbidsPages }: IncomingRequest): ForeseenAnswer {
  if (reading.type === 'errorForOwner') return { forbidsPages, target: reading.error };
  return { forbidsPages, target: reading.type === 'valid' ? reading.request.target : reading.target };
}

async function readPlain(
  parameters: AuthorizationParameters,
  browser: Pick<Browser, 'source'>,
  deps: IncomingDependencies,
  carrier: RequestCarrier | undefined,
): Promise<IncomingRequest> {
  const reading = await readWithHint(parameters, browser, deps, carrier);
  return {
    reading,
    parameters,
    client: reading.type === 'valid' ? reading.request.client : namedClient(parameters, deps),
    forbidsPages: forbidsPages(parameters),
    carrier,
  };
}

/** Only then it is known which user the client means, so a hint that is not valid is an error of the request. */
async function readWithHint(
  parameters: AuthorizationParameters,
  browser: Pick<Browser, 'source'>,
  deps: IncomingDependencies,
  carrier: RequestCarrier | undefined,
): Promise<RequestReading> {
  const reading = await readOnAllNodes(parameters, browser, deps, carrier);
  if (reading.type !== 'valid') return reading;
  const request = await withIdTokenHint(reading.request, parameters, deps);
  if (!(request instanceof RedirectableError)) return { type: 'valid', request };
  return errorForClient(reading.request, request, parameters);
}

/** Another node can have registered or changed the client a moment ago. So no request fails before its changes are read. */
async function readOnAllNodes(
  parameters: AuthorizationParameters,
  { source }: Pick<Browser, 'source'>,
  deps: RequestDependencies,
  carrier: RequestCarrier | undefined,
): Promise<RequestReading> {
  const clientId = namedClientId(parameters);
  if (clientId !== undefined && isOfDocument(clientId, deps.registry) && isWithinSize(parameters)) {
    return readDescribed(parameters, clientId, source, deps, carrier);
  }
  const reading = readAuthorizationRequest(parameters, deps, carrier);
  if (reading.type === 'valid') return reading;
  await deps.registry.refresh();
  return readAuthorizationRequest(parameters, deps, carrier);
}

/** A request of a client that nobody registered: its document is elsewhere. */
async function readDescribed(
  parameters: AuthorizationParameters,
  clientId: string,
  source: string,
  deps: RequestDependencies,
  carrier: RequestCarrier | undefined,
): Promise<RequestReading> {
  try {
    const described = await describedClient(clientId, source, deps);
    return readAuthorizationRequest(parameters, deps, carrier, described);
  } catch (error) {
    if (error instanceof OAuthError) return { type: 'errorForOwner', error };
    throw error;
  }
}

function isWithinSize(parameters: AuthorizationParameters): boolean {
  return oversizeError(parameters) === undefined;
}

function namedClient(
  parameters: AuthorizationParameters,
  { registry }: Pick<RequestDependencies, 'registry'>,
): Client | undefined {
  const clientId = namedClientId(parameters);
  return clientId === undefined ? undefined : registry.clientByClientId(clientId);
}
