import { type JwtRefusal, parseJwt, type UnverifiedJwt } from '@watchword/proofs';
import { clientJwtRefusal } from '../clients/authentication/client-keys.ts';
import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Client } from '../model/records/client.ts';
import { signingAlgorithms } from '../model/signing-algorithm.ts';
import type { Registry } from '../ports/stores/registry.ts';
import type { Clock } from '../ports/system/clock.ts';
import type { ClientKeySets } from '../ports/system/key-sets.ts';
import type { RequestObjects } from '../ports/system/request-objects.ts';
import { repeatedParameter } from '../rules/parameters.ts';
import type { ProfileChecks } from '../rules/profile-checks.ts';
import type { IncomingRequest, RequestSource } from './incoming-request.ts';
import {
  type AuthorizationParameters,
  firstValue,
  isRepeated,
  namedClientId,
  onlyOfRequest,
} from './parameters.ts';
import { errorForClient, type RequestReading } from './request/read-request.ts';
import { claimsProblem, isOfOpenid, type ObjectRequest, withObject } from './request/request-object.ts';

export interface RequestObjectDependencies {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly issuer: string;
  readonly clientKeySets: ClientKeySets;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
  /** Absent where no object is fetched. */
  readonly objectsAtUrls?: RequestObjects | undefined;
}

/**
 * Requests whose parameters are in a request object (RFC 9101, OpenID Connect Core §6), which comes in `request` or is at `request_uri`.
 * What is wrong with an object goes where the response of its request would go: nobody can find out more by it than by a request without one.
 */
export function requestObjects(deps: RequestObjectDependencies): RequestSource {
  return {
    has: (parameters) =>
      firstValue(parameters, 'request') !== undefined ||
      (deps.objectsAtUrls !== undefined && firstValue(parameters, 'request_uri') !== undefined),
    async read(parameters, plain, source) {
      const text = await objectText(parameters, source, deps);
      const refusedPlain = async (error: RedirectableError) =>
        refused(await plain(onlyOfRequest(parameters)), error);
      if (text instanceof RedirectableError) return refusedPlain(text);
      const jwt = parseJwt(text);
      if (jwt === undefined) return refusedPlain(invalidObject(because('request_object_form')));
      const request = withObject(parameters, jwt);
      const isSigned = jwt.header.alg !== 'none' && request.isWhole;
      const incoming = await plain(request.parameters, { isSigned });
      const { client } = incoming;
      // The error of a request without a client is for the resource owner.
      if (client === undefined) return incoming;
      const error = await objectError(jwt, request, client, isOfOpenid(onlyOfRequest(parameters), jwt), deps);
      return error === undefined ? incoming : refused(incoming, error);
    },
  };
}

async function objectText(
  parameters: AuthorizationParameters,
  source: string,
  { registry, objectsAtUrls }: RequestObjectDependencies,
): Promise<string | RedirectableError> {
  const repeated = ['request', 'request_uri'].find((name) => isRepeated(parameters, name));
  if (repeated !== undefined) return repeatedParameter(repeated);
  const [text, uri] = [firstValue(parameters, 'request'), firstValue(parameters, 'request_uri')];
  if (text !== undefined && uri !== undefined)
    return new RedirectableError('invalid_request', because('one_request_object'));
  if (uri === undefined || objectsAtUrls === undefined) return text ?? '';
  const clientId = namedClientId(parameters) ?? '';
  const registered = () => registry.clientByClientId(clientId)?.requestUris.includes(uri) === true;
  if (!registered()) await registry.refresh();
  if (!registered())
    return new RedirectableError('invalid_request_uri', because('registered_request_uri', { uri }));
  const answer = await objectsAtUrls.read({ clientId, uri }, source);
  return 'text' in answer
    ? answer.text
    : new RedirectableError('invalid_request_uri', because('request_uri_object', answer));
}

/** What is wrong with an object, of which the cheap parts are looked at first. */
async function objectError(
  jwt: UnverifiedJwt,
  { problem }: ObjectRequest,
  client: Client,
  isOpenid: boolean,
  { clock, issuer, clientKeySets, profile }: RequestObjectDependencies,
): Promise<RedirectableError | undefined> {
  const { claims, header } = jwt;
  const { clientId, requestObjectSigningAlg: registered } = client;
  const wrong = problem ?? claimsProblem(jwt, { clientId, issuer }, clock.now());
  if (wrong !== undefined) return invalidObject(because('request_object_claims', wrong));
  const ofProfile = profile?.requestObjectRefusal({ algorithm: header.alg, claims });
  if (ofProfile !== undefined) return ofProfile;
  const algorithms = registered === '' ? signingAlgorithms : [registered];
  if (header.alg === 'none') {
    const isTaken = isOpenid && (registered === '' || registered === 'none') && jwt.text.endsWith('.');
    const unsigned: JwtRefusal = { rule: 'algorithm', expected: algorithms.join(' or '), came: 'none' };
    return isTaken ? undefined : invalidObject(because('request_object_signature', unsigned));
  }
  const refusal = await clientJwtRefusal(client, jwt, { algorithms }, clientKeySets);
  return refusal && invalidObject(because('request_object_signature', refusal));
}

function invalidObject(why: ConstructorParameters<typeof RedirectableError>[1]): RedirectableError {
  return new RedirectableError('invalid_request_object', why);
}

/** The error in place of what was read, where its answer would go. Without that, for the resource owner. */
function refused(incoming: IncomingRequest, error: RedirectableError): IncomingRequest {
  return { ...incoming, reading: refusedReading(incoming, error) };
}

function refusedReading(
  { reading, client, parameters }: IncomingRequest,
  error: RedirectableError,
): RequestReading {
  switch (reading.type) {
    case 'valid':
      return errorForClient(reading.request, error, parameters);
    case 'errorForClient':
      return { ...reading, error };
    case 'errorForOwner':
      return client === undefined ? reading : { ...reading, error };
  }
}
