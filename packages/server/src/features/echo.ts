import { OAuthError, requiredParameter, type Sealer } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { HttpAnswer } from '../http/answer.ts';
import { authorizationUriLimit } from '../http/connections/header-limits.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { formParameters } from '../http/form.ts';
import type { HttpRequest } from '../http/request.ts';
import { version } from '../version.ts';
import type { Feature } from './feature.ts';

/** What `watchword doctor` asks to learn how requests arrive. */
export function echo(parts: EchoParts): Feature {
  return { endpoints: [echoRoute(parts)], records: 'unused' };
}

type EchoParts = Pick<Core, 'baseUrl' | 'clock' | 'sealer'>;

/** Path of the endpoint below the base URL. */
export const echoPath = '/oauth2/echo';

/** What a server saw of a request that asked for it. Header fields are as they arrived, `null` if they did not. */
export interface EchoedRequest {
  /** Repeats the nonce of the ticket, so that a stored answer is recognized. */
  readonly nonce: string;
  readonly version: string;
  readonly base_url: string;
  /** Epoch milliseconds, of the clock of the server. */
  readonly time: number;
  /** The address of the client, as the limits of failed attempts and the log have it. */
  readonly source: string;
  readonly host: string | null;
  readonly forwarded_for: string | null;
  readonly forwarded_proto: string | null;
  readonly forwarded_host: string | null;
  /** Characters of the request target. */
  readonly target_length: number;
  /** Characters of the Cookie header. */
  readonly cookie_length: number;
}

/** The proof that a caller can read the database of the server. It has no power but to ask for an echo. */
interface EchoTicket {
  readonly nonce: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Characters that the answer adds to its headers, to find the limit of a proxy. */
  readonly padding?: number;
}

const purpose = 'echo';
// Milliseconds. The clock of the caller can be wrong, which is what the caller wants to find out.
const lifetime = 86_400_000;
export const maxPadding = 16_000;

export function sealEchoTicket(sealer: Pick<Sealer, 'seal'>, ticket: EchoTicket): string {
  return sealer.seal(purpose, ticket);
}

/**
 * `POST /oauth2/echo`: says how a request arrived, to those who can read the database. To others it would show
 * the addresses of proxies.
 */
function echoRoute(parts: EchoParts): Endpoint {
  return {
    path: echoPath,
    isTraced: false,
    uriLimit: authorizationUriLimit,
    methods: { POST: (request) => echoed(request, parts) },
  };
}

async function echoed(request: HttpRequest, { sealer, clock, baseUrl }: EchoParts): Promise<HttpAnswer> {
  const opened = await sealer.open(purpose, requiredParameter(formParameters(request), 'ticket'));
  const { nonce, time, padding = 0 } = (opened ?? { time: 0 }) as EchoTicket;
  const now = clock.now();
  if (opened === undefined || Math.abs(now - time) > lifetime) {
    throw new OAuthError('invalid_request', {
      rule: 'echo_ticket',
      description: 'The ticket was not made from the database of this server.',
    });
  }
  const { headers, source, url } = request;
  const field = (name: string) => headers[name]?.toString() ?? null;
  const body: EchoedRequest = {
    nonce,
    version,
    base_url: baseUrl,
    time: now,
    source,
    host: field('host'),
    forwarded_for: field('x-forwarded-for'),
    forwarded_proto: field('x-forwarded-proto'),
    forwarded_host: field('x-forwarded-host'),
    target_length: url.length,
    cookie_length: headers.cookie?.length ?? 0,
  };
  if (padding === 0) return { body };
  return { headers: { 'x-padding': 'x'.repeat(Math.min(padding, maxPadding)) }, body };
}
