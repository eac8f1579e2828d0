import { parseJsonBody, type SelfRegisteredClient, selfRegistrationOf } from '@watchword/administration';
import { because, OAuthError, registeredMetadata, secretsEnd, signingAlgorithm } from '@watchword/protocol';
import { sectorIdentifiersOf } from '../core/clients/client-urls.ts';
import type { Core } from '../core/core.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { HttpRequest } from '../http/request.ts';
import { addressGroup } from '../runtime/limits/address-group.ts';
import { Pace } from '../runtime/limits/pace.ts';
import { auditLine } from '../runtime/log/audit-line.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'authentication'
  | 'baseUrl'
  | 'clock'
  | 'configuration'
  | 'logger'
  | 'openFetch'
  | 'profile'
  | 'random'
  | 'scopeSyntax'
  | 'signing'
  | 'store'
>;

const path = '/oauth2/register';
// Octets: a hundred redirect URIs of usual length.
const bodyLimit = 65_536;
// Of one network. Whoever registers keeps what was answered, so that a tool comes once for each computer.
const perAddress = { atOnce: 20, perSecond: 1 / 60 };
// Reading and deleting a registration. A change is as large as a registration, and the audit log keeps each.
const managedPerAddress = { atOnce: 60, perSecond: 1 };

/** Clients that register themselves, `POST /oauth2/register` (RFC 7591), and manage their registration (RFC 7592). */
export function clientRegistration(parts: Parts): Feature {
  const { clock, configuration, logger, random, store } = parts;
  const mode = configuration['clients.registration'];
  if (mode === 'off') return {};
  const deps = {
    ...store,
    clock,
    random,
    audited: (event: Parameters<typeof auditLine>[0]) =>
      logger.info({ audit: auditLine(event) }, 'changed a record'),
  };
  return {
    metadata: { registration_endpoint: `${parts.baseUrl}${path}` },
    endpoints: endpointsOf(parts, deps, mode === 'tokens'),
  };
}

function endpointsOf(
  { authentication, baseUrl, openFetch, profile, scopeSyntax, signing: { signer }, store }: Parts,
  deps: Omit<Parameters<typeof selfRegistrationOf>[0], 'algorithms' | 'attempts' | 'needsToken'>,
  needsToken: boolean,
): readonly Endpoint[] {
  const registration = selfRegistrationOf({
    ...deps,
    attempts: authentication.attempts,
    needsToken,
    algorithms: () => signer.algorithms,
    profile,
    // Whoever registers is unknown, as for the keys of the client.
    sectorIdentifiers: sectorIdentifiersOf(openFetch),
    ...(scopeSyntax && { scopeSyntax }),
  });
  const paced = (pace: Pace, { source }: HttpRequest) => {
    const retryAfter = pace.take(addressGroup(source));
    if (retryAfter === 0) return;
    throw new OAuthError('too_many_requests', {
      ...because('registration_pace', { retryAfter }),
      retryAfter,
    });
  };
  const now = () => performance.now();
  const registrations = new Pace(perAddress.atOnce, perAddress.perSecond, now);
  const changes = new Pace(perAddress.atOnce, perAddress.perSecond, now);
  const others = new Pace(managedPerAddress.atOnce, managedPerAddress.perSecond, now);
  // The registered client is there for its next request.
  const changed = async <Value>(change: Promise<Value>): Promise<Value> => {
    const value = await change;
    await store.refreshRegistry();
    return value;
  };
  const answered = ({ client, registration, secret, token }: SelfRegisteredClient) => ({
    ...registeredMetadata(client, registration, signingAlgorithm('', client, signer)),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    // Nobody gives a new client an end of its secret, but an administrator can do so later. Seconds (RFC 7591 §3.2.1).
    ...(secretsEnd(client) > 0 && { client_secret_expires_at: Math.floor(secretsEnd(client) / 1000) }),
    registration_access_token: token,
    registration_client_uri: `${baseUrl}${path}/${client.clientId}`,
  });
  const managed = (request: HttpRequest, pace = others) => {
    paced(pace, request);
    return request.parameters.clientId ?? '';
  };
  return [
    {
      path,
      origins: 'every',
      bodyLimit,
      methods: {
        async POST(request) {
          paced(registrations, request);
          const registered = registration.register(documentOf(request), askingOf(request));
          return { status: 201, body: answered(await changed(registered)) };
        },
      },
    },
    {
      path: `${path}/:clientId`,
      origins: 'every',
      bodyLimit,
      methods: {
        GET: async (request) => ({
          body: answered(await registration.read(managed(request), askingOf(request))),
        }),
        PUT: async (request) => {
          const clientId = managed(request, changes);
          const updated = registration.update(clientId, documentOf(request), askingOf(request));
          return { body: answered(await changed(updated)) };
        },
        DELETE: async (request) => {
          await changed(registration.delete(managed(request), askingOf(request)));
          return { status: 204 };
        },
      },
    },
  ];
}

function documentOf({ headers, body }: HttpRequest): unknown {
  return parseJsonBody({ type: headers['content-type'], bytes: body });
}

function askingOf({ headers: { authorization }, source }: HttpRequest) {
  return { authorization, source };
}
