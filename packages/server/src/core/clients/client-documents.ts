import { createOutboundFetch, OutboundError, type OutboundErrorKind } from '@watchword/outbound';
import {
  because,
  type Clock,
  OAuthError,
  type OutboundAnswer,
  type OutboundFetch,
  type ProfileChecks,
  readClientDocument,
  secondsFresh,
} from '@watchword/protocol';
import type { Configuration } from '../../config/settings.ts';
import type { FetchDocument } from '../../runtime/client-documents/client-documents.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { withTraces } from '../outbound.ts';
import { limits, longestFresh } from './client-urls.ts';

/**
 * Sends requests to URLs that anybody can name. So none goes into a private network, but to a host that the operator names for that
 * and among those of clients too.
 */
export function openFetchOf(
  configuration: Pick<Configuration, 'clients.metadataDocuments' | 'outbound.privateHosts'>,
  tracing: Tracing | undefined,
): OutboundFetch {
  const hosts = configuration['clients.metadataDocuments'];
  const named = configuration['outbound.privateHosts'].filter(
    (host) => typeof hosts !== 'string' && hosts.includes(host.replace(/:\d+$/, '').toLowerCase()),
  );
  return withTraces(createOutboundFetch({ allowPrivateAddresses: named }), tracing);
}

/** Fetches documents of clients. */
export function documentFetchOf({
  clock,
  configuration,
  logger,
  profile,
  tracing,
}: DocumentFetchSurroundings): FetchDocument {
  const fetch = openFetchOf(configuration, tracing);
  const maxBytes = configuration['clients.metadataDocumentBytes'];
  return fetchedDocuments({ fetch, clock, logger, maxBytes, profile });
}

interface DocumentFetchSurroundings {
  readonly clock: Clock;
  readonly configuration: Configuration;
  readonly logger: Pick<Logger, 'info'>;
  readonly profile: ProfileChecks | undefined;
  readonly tracing?: Tracing | undefined;
}

interface DocumentFetchDependencies {
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly logger: Pick<Logger, 'info'>;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
}

/** Fetches and reads a document (draft-ietf-oauth-client-id-metadata-document-02 §5). */
export function fetchedDocuments({
  fetch,
  clock,
  maxBytes,
  logger,
  profile,
}: DocumentFetchDependencies): FetchDocument {
  const refused = (url: string, problem: string) => {
    const { host } = new URL(url);
    logger.info({ host, problem }, 'refused the document of a client');
    return new OAuthError('invalid_request', {
      ...because('client_document', { problem, host }),
      text: { key: 'error.client_document', values: { host } },
    });
  };
  return async (url) => {
    try {
      using answer = await fetch(url, { ...limits, maxBytes, headers: { accept: 'application/json' } });
      const problem = answerProblem(answer);
      if (problem !== undefined) throw refused(url, problem);
      const document = readClientDocument(await answer.json(), url, profile);
      if ('problem' in document) throw refused(url, document.problem);
      const seconds = secondsFresh(answer.headers, clock.now());
      return { document, seconds: document.keys === undefined ? seconds : Math.min(longestFresh, seconds) };
    } catch (error) {
      if (error instanceof OutboundError) throw refused(url, problemOf(error.kind, maxBytes));
      throw error;
    }
  };
}

function answerProblem({ status, headers }: OutboundAnswer): string | undefined {
  if (status !== 200) return `cannot be read: its server answers with status ${status}, not 200`;
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  return /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i.test(type.trim())
    ? undefined
    : 'is not of the type application/json';
}

/** Nobody learns what the server finds in its own network. */
function problemOf(kind: OutboundErrorKind, maxBytes: number): string {
  switch (kind) {
    case 'unresolved-host':
    case 'private-address':
      return 'cannot be read: its host has no public address';
    case 'tls':
      return 'cannot be read: the certificate of its server is not valid for it';
    case 'timeout':
      return 'cannot be read: its server does not answer within 5 seconds';
    case 'too-large':
      return `has more than ${maxBytes} bytes`;
    case 'redirect':
      return 'redirects to another address';
    case 'malformed-answer':
      return 'is not JSON';
    default:
      return 'cannot be read: its server does not answer';
  }
}
