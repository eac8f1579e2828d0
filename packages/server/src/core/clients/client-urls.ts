import { OutboundError, type OutboundErrorKind } from '@watchword/outbound';
import {
  type Clock,
  isOpenClientId,
  maxKeySetBytes,
  type OutboundAnswer,
  type OutboundFetch,
  readKeySet,
  type SectorIdentifiers,
  secondsFresh,
} from '@watchword/protocol';
import type { FetchKeySet } from '../../runtime/key-sets.ts';
import type { FetchRequestObject } from '../../runtime/request-objects-at-urls.ts';

/** Milliseconds. */
export const limits = { answerTimeout: 5_000, timeout: 5_000 };
/** 100 redirect URIs of 2,000 characters each, with their quotes. */
const maxSectorBytes = 250_000;

/** Requests the documents of sector identifier URIs. @param outboundFetch `openFetch` for clients that register themselves */
export function sectorIdentifiersOf(outboundFetch: OutboundFetch): SectorIdentifiers {
  return {
    read: (uri) =>
      documentAt(uri, outboundFetch, maxSectorBytes, ({ document }) => {
        const isList = Array.isArray(document) && document.every((member) => typeof member === 'string');
        return isList
          ? { redirectUris: document }
          : { problem: 'has a document that is not a JSON array of texts' };
      }),
  };
}

interface ClientFetches {
  /** For clients that record owners registered. */
  readonly outboundFetch: OutboundFetch;
  /** For those of which nobody is known who answers for them. */
  readonly openFetch: OutboundFetch;
}

function fetchFor(clientId: string, { outboundFetch, openFetch }: ClientFetches): OutboundFetch {
  return isOpenClientId(clientId) ? openFetch : outboundFetch;
}

/** Seconds: a key that was removed because it is known to others must not be accepted for much longer. */
export const longestFresh = 3600;

export const typesOfKeySets = 'application/json, application/jwk-set+json';

/** Requests the keys of clients. */
export function keySetFetchOf({ clock, ...fetches }: ClientFetches & { readonly clock: Clock }): FetchKeySet {
  return ({ clientId, jwksUri }) =>
    documentAt(jwksUri, fetchFor(clientId, fetches), maxKeySetBytes, ({ document, headers }) => {
      const keys = readKeySet(document);
      if ('problem' in keys) return keys;
      return { keySet: keys, seconds: Math.min(longestFresh, secondsFresh(headers, clock.now())) };
    });
}

/** Of a request object (RFC 9101 §5.2.3). */
const maxObjectBytes = 16_384;
const typesOfObjects = 'application/oauth-authz-req+jwt, application/jwt, text/plain;q=0.5';

/** Requests the request objects of clients. */
export function requestObjectFetchOf(fetches: ClientFetches): FetchRequestObject {
  const wanted = { maxBytes: maxObjectBytes, accept: typesOfObjects };
  return ({ clientId, uri }) =>
    answerAt(uri, fetchFor(clientId, fetches), wanted, async (answer) => ({
      text: (await answer.text()).trim(),
    }));
}

interface FoundDocument extends Pick<OutboundAnswer, 'headers'> {
  readonly document: unknown;
}

/** Requests a JSON document, and reads it. @returns as `answerAt` */
function documentAt<Value>(
  uri: string,
  outboundFetch: OutboundFetch,
  maxBytes: number,
  read: (found: FoundDocument) => Value,
): Promise<Value | { readonly problem: string }> {
  const wanted = { maxBytes, accept: typesOfKeySets };
  return answerAt(uri, outboundFetch, wanted, async (answer) =>
    read({ document: await answer.json(), headers: answer.headers }),
  );
}

/** Requests a document, and reads it. @returns a problem as a phrase that follows the name of the field */
async function answerAt<Value>(
  uri: string,
  outboundFetch: OutboundFetch,
  { maxBytes, accept }: { readonly maxBytes: number; readonly accept: string },
  read: (answer: OutboundAnswer) => Promise<Value>,
): Promise<Value | { readonly problem: string }> {
  try {
    using answer = await outboundFetch(uri, { ...limits, maxBytes, headers: { accept } });
    const { status } = answer;
    if (status !== 200) return { problem: `answered with status ${status}; expected 200` };
    return await read(answer);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { problem: problemOf(error.kind, maxBytes) };
  }
}

/** The record owner does not learn what the server finds in its own network. */
function problemOf(kind: OutboundErrorKind, maxBytes: number): string {
  switch (kind) {
    case 'invalid-url':
      return 'is not an https URL';
    case 'unresolved-host':
    case 'private-address':
      return 'has a host without a public address; an operator can permit others by the setting outbound.privateHosts';
    case 'tls':
      return 'cannot be requested: the certificate of its server is not valid for it';
    case 'timeout':
      return 'cannot be requested: its server does not answer within 5 seconds';
    case 'too-large':
      return `has a document of more than ${maxBytes} bytes`;
    case 'redirect':
      return 'redirects to another address; register the final address';
    case 'malformed-answer':
      return 'has a document that is not JSON';
    default:
      return 'cannot be requested: its server does not answer as it should';
  }
}
