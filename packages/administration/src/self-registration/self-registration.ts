import {
  type AttemptLimiter,
  because,
  type Client,
  type ClientRegistrationReader,
  type ClientRegistrationRecord,
  createBearerValue,
  generateSecret,
  type InitialToken,
  type InitialTokenReader,
  isSameDigest,
  isSelfRegistered,
  OAuthError,
  parseBearerValue,
  presentedBearer,
  type ResourceServer,
  readClientMetadata,
  registrationOf,
  type SigningAlgorithm,
  type StatisticsStore,
  selfRegisteredId,
  selfRegistration,
  storedSecret,
  type TransactionStores,
  untrusted,
  usesSecret,
} from '@watchword/protocol';
import { type Caller, systemCaller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { clientDifference, clientRecord, ofClient } from '../clients/client-record.ts';
import { homeOfOpenClients } from '../clients/open-clients-home.ts';
import { makeRoom } from '../clients/unused-clients.ts';
import { checkKeptIdentity, checkKeptMethod } from './kept-registration.ts';
import { checked, sectorDocuments } from './registration-checks.ts';

export interface SelfRegistrationDependencies
  extends Pick<
    AdministrationDependencies,
    | 'audited'
    | 'clients'
    | 'clock'
    | 'ownerLimits'
    | 'profile'
    | 'random'
    | 'resourceServers'
    | 'scopeSyntax'
    | 'sectorIdentifiers'
    | 'transact'
  > {
  readonly attempts: AttemptLimiter;
  readonly clientRegistrations: ClientRegistrationReader;
  readonly initialTokens: InitialTokenReader;
  readonly statistics: Pick<StatisticsStore, 'accessTo' | 'issuedTo'>;
  /** Whether an initial access token is needed. */
  readonly needsToken: boolean;
  /** With which the server signs. */
  algorithms(): readonly SigningAlgorithm[];
}

/** A client that registered itself, with what only this answer has. */
export interface SelfRegisteredClient {
  readonly client: Client;
  readonly registration: ClientRegistrationRecord;
  /** Only of a registration: nobody can read it again. */
  readonly secret?: string | undefined;
  /** The registration access token. */
  readonly token: string;
}

/** Who asks. */
export interface RegistrationRequest {
  /** The `Authorization` header, when there is one. */
  readonly authorization: string | undefined;
  /** Network address. */
  readonly source: string;
}

/** Clients that register, read, change and delete themselves (RFC 7591, RFC 7592). */
export interface SelfRegistration {
  /** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`, `missing_token`, `invalid_token`, `too_many_requests` */
  register(document: unknown, request: RegistrationRequest): Promise<SelfRegisteredClient>;
  /** @throws OAuthError `missing_token`, `invalid_token`, also for a client that does not exist (RFC 7592 §2.1), as all below */
  read(clientId: string, request: RegistrationRequest): Promise<SelfRegisteredClient>;
  /** Replaces the whole registration. @throws OAuthError as `register` too */
  update(clientId: string, document: unknown, request: RegistrationRequest): Promise<SelfRegisteredClient>;
  /** With all that users gave it. */
  delete(clientId: string, request: RegistrationRequest): Promise<void>;
}

// Seconds.
const untilLess = 3600;

export function selfRegistrationOf(deps: SelfRegistrationDependencies): SelfRegistration {
  return {
    register: (document, request) => register(document, request, deps),
    read: (clientId, request) => ownRegistration(clientId, request, deps),
    update: async (clientId, document, request) =>
      update(await ownRegistration(clientId, request, deps), document, request, deps),
    delete: async (clientId, request) =>
      deleteOwn(await ownRegistration(clientId, request, deps), request, deps),
  };
}

async function register(
  document: unknown,
  request: RegistrationRequest,
  deps: SelfRegistrationDependencies,
): Promise<SelfRegisteredClient> {
  const { clock, needsToken, random } = deps;
  const initial = needsToken ? await initialTokenOf(request, deps) : undefined;
  const metadata = readClientMetadata(document, deps.algorithms());
  if (!needsToken && !(await makeRoom(deps))) throw flooded();
  const documents = await sectorDocuments(metadata.fields, deps);
  const secret = usesSecret(metadata.fields) ? generateSecret(random) : undefined;
  const { value: token, verifierHash: tokenDigest } = createBearerValue('registration', clock.now(), random);
  return changeRecords(registrant(request), deps, async (stores) => {
    if (initial !== undefined && !(await stores.initialTokens.countClient(initial.id)))
      throw refused('initial_token', request, deps);
    const home = await homeOfOpenClients(stores, random);
    const fields = checked(selfRegistration(metadata), undefined, { home, documents }, deps);
    const creationDate = clock.now();
    const stored = secret === undefined ? undefined : { ...storedSecret(secret), creationDate };
    const ofServer = { ...untrusted, resourceServerId: home.id, secret: stored, tokensValidFrom: 0 };
    const client = await stores.clients.create({ ...fields, ...ofServer }, [selfRegisteredId(random)]);
    if (client === undefined) throw new Error('the resource server of clients without a home was deleted');
    const registration: ClientRegistrationRecord = {
      ...metadata.claimed,
      clientRecordId: client.id,
      tokenDigest,
      creationDate,
      lastUsed: 0,
      initialTokenId: initial?.id,
    };
    await stores.clientRegistrations.create(registration);
    const after = { ...clientRecord(client), ...(initial && { initialToken: initial.note || initial.id }) };
    return {
      value: { client, registration, secret, token },
      changes: [{ action: 'create', ...ofClient(client, home), after }],
    };
  });
}

/** Nobody can keep others out by clients that nobody uses: only while all of these are new. */
function flooded(): OAuthError {
  return new OAuthError('temporarily_unavailable', {
    ...because('few_unused_clients'),
    retryAfter: untilLess,
  });
}

interface OwnRegistration extends SelfRegisteredClient {
  readonly home: ResourceServer;
}

/** That of the client whose registration access token the request has. */
async function ownRegistration(
  clientId: string,
  request: RegistrationRequest,
  deps: SelfRegistrationDependencies,
): Promise<OwnRegistration> {
  const token = bearerOf(request);
  const presented = token === undefined ? undefined : parseBearerValue('registration', token);
  const client = presented && (await deps.clients.find(clientId));
  const home = client && (await deps.resourceServers.findById(client.resourceServerId));
  if (token && presented && client && home && isSelfRegistered(client, home)) {
    const registration = await deps.clientRegistrations.find(client.id);
    const isOwn =
      registration !== undefined && isSameDigest(registration.tokenDigest, presented.verifierHash);
    if (isOwn) return { client, home, registration, token };
  }
  throw refused('registration_token', request, deps);
}

async function update(
  { client, home, registration, token }: OwnRegistration,
  document: unknown,
  request: RegistrationRequest,
  deps: SelfRegistrationDependencies,
): Promise<SelfRegisteredClient> {
  checkKeptIdentity(document, client, deps.clock.now());
  const { fields, claimed } = readClientMetadata(document, deps.algorithms());
  checkKeptMethod(fields, client);
  const documents = await sectorDocuments(fields, deps);
  return changeRecords(registrant(request, client), deps, async (stores) => {
    const before = await stillRegistered(client, stores, request, deps);
    const current = registrationOf(before);
    const change = checked({ ...current, ...fields }, current, { home, documents }, deps);
    // Whoever confirmed it saw another registration.
    const after = await stores.clients.update(before.id, { ...change, ...untrusted });
    if (after === undefined) throw new Error('a client that was just read does not exist');
    await stores.clientRegistrations.update(before.id, claimed);
    return {
      value: { client: after, registration: { ...registration, ...claimed }, token },
      changes: [{ action: 'update', ...ofClient(after, home), ...clientDifference(before, after) }],
    };
  });
}

function deleteOwn(
  { client, home }: OwnRegistration,
  request: RegistrationRequest,
  deps: SelfRegistrationDependencies,
): Promise<void> {
  return changeRecords(registrant(request, client), deps, async (stores) => {
    const before = await stillRegistered(client, stores, request, deps);
    await stores.clients.delete(before.id);
    await stores.clientRegistrations.remove(before.id);
    const change = { action: 'delete', ...ofClient(before, home), before: clientRecord(before) } as const;
    return { value: undefined, changes: [change] };
  });
}

/** In the audit log it is the server that registers, for the network address; a client changes itself. */
function registrant({ source }: RegistrationRequest, client?: Client): Caller {
  return { ...systemCaller, source, client };
}

function bearerOf({ authorization }: RegistrationRequest): string | undefined {
  return presentedBearer(authorization);
}

/** @throws OAuthError `missing_token`, `invalid_token`, `too_many_requests` */
async function initialTokenOf(
  request: RegistrationRequest,
  deps: SelfRegistrationDependencies,
): Promise<InitialToken> {
  const value = bearerOf(request);
  const presented = value === undefined ? undefined : parseBearerValue('initial', value);
  const token = presented && (await deps.initialTokens.find(presented.id));
  const isValid =
    presented !== undefined &&
    token !== undefined &&
    isSameDigest(token.digest, presented.verifierHash) &&
    (token.expires === 0 || token.expires > deps.clock.now());
  if (!isValid) throw refused('initial_token', request, deps);
  return token;
}

/** Failures are counted as those of other tokens are. */
function refused(
  rule: 'initial_token' | 'registration_token',
  { source }: RegistrationRequest,
  { attempts }: SelfRegistrationDependencies,
): OAuthError {
  const retryAfter = attempts.recordFailure(source, 'Bearer');
  return retryAfter > 0
    ? new OAuthError('too_many_requests', { retryAfter })
    : new OAuthError('invalid_token', because(rule));
}

async function stillRegistered(
  { clientId, id }: Client,
  { clients }: TransactionStores,
  request: RegistrationRequest,
  deps: SelfRegistrationDependencies,
): Promise<Client> {
  const found = await clients.find(clientId);
  if (found?.id === id) return found;
  throw refused('registration_token', request, deps);
}
