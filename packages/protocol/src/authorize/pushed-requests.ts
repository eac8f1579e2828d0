import { hash } from 'node:crypto';
import type { Random } from '../ports/crypto/random.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { randomText } from '../rules/random-text.ts';
import type { RequestSource } from './incoming-request.ts';
import { type AuthorizationParameters, firstValue, isRepeated, namedClientId } from './parameters.ts';
import type { RequestReading } from './request/read-request.ts';
import { type AnsweredOnceDependencies, unusableReference } from './targets/answered-once.ts';
import type { PushedReference } from './targets/target-kind.ts';

export interface PushedRequestDependencies extends AnsweredOnceDependencies {
  readonly random: Random;
}

/** How an authorization request names one that was pushed (RFC 9126 §2.2). */
export interface StoredRequest {
  readonly request_uri: string;
  /** Seconds. */
  readonly expires_in: number;
}

const prefix = 'urn:ietf:params:oauth:request_uri:';
/** Seconds within which a browser must bring the reference. */
const lifetime = 60;
/** Seconds within which the user must have answered all pages. Only the mark of an answer is kept for so long. */
const answerLifetime = 86_400;

/** What a client pushed. */
interface PushedRequest {
  readonly clientId: string;
  readonly parameters: AuthorizationParameters;
  /** Whether the client signed it. */
  readonly isSigned: boolean;
}

interface PushedValue {
  readonly clientId: string;
  readonly parameters: readonly (readonly [name: string, values: readonly string[]])[];
  readonly isSigned?: boolean;
  readonly answerBefore: number;
}

/** Stores a request that was read without an error. Durable when the promise resolves. */
export async function storePushed(
  { parameters, ...pushed }: PushedRequest,
  { oneTime, clock, random }: PushedRequestDependencies,
): Promise<StoredRequest> {
  const id = randomText(random, 32);
  const now = clock.now();
  const answerBefore = now + answerLifetime * 1000;
  const value: PushedValue = { ...pushed, parameters: [...parameters], answerBefore };
  await oneTime.put(keyOf(id), JSON.stringify(value), now + lifetime * 1000);
  return { request_uri: `${prefix}${id}`, expires_in: lifetime };
}

/**
 * Requests that their clients have pushed. Of what the browser brings, the reference and the client_id alone are read. A page that is
 * loaded again finds the request again: the response uses it up.
 */
export function pushedRequests({
  oneTime,
  clock,
  registry,
}: AnsweredOnceDependencies & { readonly registry: Registry }): RequestSource {
  const find = async (parameters: AuthorizationParameters) => {
    const reference = firstValue(parameters, 'request_uri') ?? '';
    if (isRepeated(parameters, 'request_uri')) return undefined;
    const key = keyOf(reference.slice(prefix.length));
    const text = await oneTime.find(key, clock.now());
    const value: PushedValue | undefined = text === undefined ? undefined : JSON.parse(text);
    return value?.clientId === namedClientId(parameters) ? value && { ...value, key } : undefined;
  };
  return {
    has: (parameters) => isPushedReference(firstValue(parameters, 'request_uri')),
    async read(parameters, plain) {
      const found = await find(parameters);
      if (found === undefined) {
        const client = registry.clientByClientId(namedClientId(parameters) ?? '');
        const reading = { type: 'errorForOwner', error: unusableReference() } as const;
        return { reading, client, parameters, forbidsPages: false };
      }
      const { key, answerBefore, isSigned = false } = found;
      const incoming = await plain(new Map(found.parameters), { isPushed: true, isSigned });
      return { ...incoming, reading: withReference(incoming.reading, { key, answerBefore }) };
    },
  };
}

export function isPushedReference(requestUri: string | undefined): boolean {
  return requestUri?.startsWith(prefix) === true;
}

function withReference(reading: RequestReading, pushed: PushedReference): RequestReading {
  switch (reading.type) {
    case 'errorForOwner':
      return reading;
    case 'errorForClient':
      return { ...reading, target: { ...reading.target, pushed } };
    case 'valid': {
      const { request } = reading;
      return { ...reading, request: { ...request, target: { ...request.target, pushed } } };
    }
  }
}

/** Whoever reads the database must not be able to send the request. */
function keyOf(id: string): string {
  return `par:${hash('sha256', id, 'base64url')}`;
}
