import {
  type Client,
  type ClientRegistration,
  checkChosen,
  checkClient,
  checkFixedFields,
  checkFree,
  checkSector,
  chosenSecret,
  clientDefaults,
  clientFields,
  editedClient,
  endRights,
  generateSecret,
  identifiersOf,
  isBuiltInClient,
  isDocumentClient,
  isPublicClient,
  OAuthError,
  registrationOf,
  type SectorDocument,
  type SectorDocuments,
  type TransactionStores,
  usesSecret,
  Violations,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { requireFreshLogin } from '../callers/fresh-login.ts';
import { ownClient, ownResourceServer } from '../callers/ownership.ts';
import { checkRegistration } from '../callers/registration-right.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, type Changed, changeRecords } from '../changes/change-records.ts';
import { checkCondition, revisionTag } from '../changes/edit.ts';
import { checkManaged } from '../changes/managed.ts';
import { checkRecordLimit } from '../changes/owner-limits.ts';
import { settableBy } from '../registered/registered-fields.ts';
import { checkAssertionIssuers } from './assertion-issuers.ts';
import type { ClientAdministration } from './client-administration.ts';
import {
  clientDifference,
  clientRecord,
  managedClientChange,
  ofClient,
  replacedSecret,
} from './client-record.ts';
import { newTrust, resetFields, trustAfter } from './client-trust.ts';
import { checkOtherResourceServers, type Registered } from './other-resource-servers.ts';

/** Registers clients and changes their registrations. */
export function clientRegistration(
  deps: AdministrationDependencies,
): Pick<ClientAdministration, 'create' | 'update'> {
  return { ...clientCreation(deps), ...clientUpdate(deps) };
}

function clientCreation(deps: AdministrationDependencies): Pick<ClientAdministration, 'create'> {
  const { algorithms, clock, profile, random, scopeSyntax } = deps;
  const rules = { algorithms, profile, scopeSyntax };

  return {
    create: (caller, resourceServerId, { fields, malformed }, { secret: given, clientId, chosen } = {}) =>
      changeClient(caller, deps, async (stores, documents) => {
        checkRegistration(caller, deps);
        const resourceServer = await ownResourceServer(caller, resourceServerId, stores);
        const violations = new Violations(malformed);
        const of = { caller, home: resourceServer, before: undefined };
        const registration = await settableRegistration(of, fields, stores, violations);
        checkAssertionIssuers(registration.assertionIssuers, of, deps, violations);
        checkClient(registration, { ...rules, before: undefined }, resourceServer, violations);
        checkChosen('clientId', chosen, violations);
        violations.throwIfAny();
        const neededDocument = checkSector(registration, undefined, documents);
        if (neededDocument !== undefined) return { neededDocument };
        await checkRecordLimit(caller, deps, stores);
        await checkFree('clientId', chosen, stores.clients.find);
        const secret = usesSecret(registration) ? (given ?? chosenSecret(generateSecret(random))) : undefined;
        const stored = secret && { ...secret.stored, creationDate: clock.now() };
        const trust = newTrust(caller);
        const client = await stores.clients.create(
          {
            ...registration,
            ...trust,
            ...managedClientChange(deps, registration, stored),
            resourceServerId,
            secret: stored,
            tokensValidFrom: 0,
          },
          identifiersOf(clientId ?? chosen, registration.clientName, 'client'),
        );
        if (client === undefined) throw new Error('a resource server that was just read does not exist');
        const created = { action: 'create', ...ofClient(client, resourceServer) } as const;
        const changes = [{ ...created, after: clientRecord(client) }];
        return { value: { client, secret: secret?.text }, changes };
      }),
  };
}

function clientUpdate(deps: AdministrationDependencies): Pick<ClientAdministration, 'update'> {
  const { algorithms, profile, scopeSyntax } = deps;
  const rules = { algorithms, profile, scopeSyntax };

  return {
    update: (caller, address, { apply, malformed, condition }, { secret } = {}) =>
      changeClient(caller, deps, async (stores, documents) => {
        const { client: before, resourceServer } = await ownClient(caller, address, stores);
        checkCondition(condition, revisionTag(before));
        checkManaged(before, deps);
        const current = registrationOf(before);
        const violations = new Violations(malformed);
        const of = { caller, home: resourceServer, before: current };
        const submitted = await settableRegistration(of, apply(current), stores, violations);
        checkAssertionIssuers(submitted.assertionIssuers, of, deps, violations);
        const fields = { ...submitted, ...trustAfter(caller, before, submitted, deps) };
        if (hasOtherKeys(current, fields)) requireFreshLogin(caller, { freshLogin: 0, ...deps });
        if (isBuiltInClient(before, resourceServer))
          checkFixedFields(clientFields, current, fields, violations);
        if (isDocumentClient(before, resourceServer)) checkDescribed(current, fields, violations);
        checkClient(fields, { ...rules, before: current }, resourceServer, violations);
        violations.throwIfAny();
        const neededDocument = checkSector(fields, current, documents);
        if (neededDocument !== undefined) return { neededDocument };
        // A client that has no use for its secret any more loses it. One that has use for one again gets it by rotation.
        const kept = usesSecret(fields) ? (secret?.stored ?? before.secret) : undefined;
        const managed = managedClientChange(deps, fields, kept);
        const after = await stores.clients.update(before.id, { ...fields, ...managed, secret: kept });
        if (after === undefined) throw new Error('a client that was just read does not exist');
        const updated = { action: 'update', ...ofClient(after, resourceServer) } as const;
        return {
          value: { client: after, reset: resetFields(caller, before, after) },
          changes: [
            { ...updated, ...clientDifference(before, after) },
            ...(await endLostRights(after, stores)),
            ...(secret === undefined ? [] : [replacedSecret(after, resourceServer, secret)]),
          ],
        };
      }),
  };
}

/** Whoever has a key of a client, or of an issuer that signs for it, is the client, as with a new secret. */
function hasOtherKeys(current: ClientRegistration, edited: ClientRegistration): boolean {
  const keysOf = ({ jwks, jwksUri, assertionIssuers }: ClientRegistration) =>
    JSON.stringify([jwks, jwksUri, assertionIssuers]);
  return keysOf(edited) !== keysOf(current);
}

/** What a client can administer, it administers with tokens for itself. */
async function endLostRights(client: Client, stores: TransactionStores): Promise<AuditedChange[]> {
  return actsForItself(client) ? [] : endRights({ clientRecordId: client.id }, stores);
}

/** Whether it can get access tokens for itself. */
export function actsForItself(client: Pick<Client, 'allowedClientCredentials' | 'confidential'>): boolean {
  return client.allowedClientCredentials && !isPublicClient(client);
}

/** A registration with the given fields, as far as the caller can set them. */
function settableRegistration(
  of: Registered,
  given: Partial<ClientRegistration>,
  stores: TransactionStores,
  violations: Violations,
): Promise<ClientRegistration> {
  const { caller, before } = of;
  const registration = settableBy(
    caller,
    clientFields,
    editedClient(before ?? clientDefaults, given),
    before,
  );
  return checkOtherResourceServers(registration, of, stores, violations);
}

const followDocument = [
  'clientName',
  'redirectUris',
  'useRefreshTokens',
  'dpopBoundAccessTokens',
  'confidential',
] as const;

/** Of a client that a document describes. */
function checkDescribed(
  current: ClientRegistration,
  edited: ClientRegistration,
  violations: Violations,
): void {
  for (const name of followDocument) {
    if (JSON.stringify(edited[name]) !== JSON.stringify(current[name]))
      violations.add(name, 'follows the document at its clientId; it cannot be changed here');
  }
}

/** The sector identifier URI whose document decides whether a change can be made. */
interface Undecided {
  readonly neededDocument: string;
}

type Work<Value> = (
  stores: TransactionStores,
  documents: SectorDocuments,
) => Promise<Changed<Value> | Undecided>;

// Another change at the same time can make another document necessary.
const attempts = 3;

/**
 * Runs a change of a client, which can depend on the document of its sector identifier URI, as `changeRecords` does. The
 * document is requested between two transactions, so that none waits for another server. The transaction that finds out about
 * it counts as a change, so that the limit of changes bounds these requests.
 *
 * @throws OAuthError as `changeRecords`; `conflict` when the client changes too often meanwhile
 */
export async function changeClient<Value>(
  caller: Caller,
  deps: AdministrationDependencies,
  work: Work<Value>,
): Promise<Value> {
  const documents = new Map<string, SectorDocument>();
  for (let left = attempts; left > 0; left -= 1) {
    const result = await changeRecords<Pick<Changed<Value>, 'value'> | Undecided>(
      caller,
      deps,
      async (stores) => {
        const done = await work(stores, documents);
        if ('neededDocument' in done) return { value: done, changes: [] };
        return { value: { value: done.value }, changes: done.changes };
      },
    );
    if ('value' in result) return result.value;
    documents.set(result.neededDocument, await documentOf(result.neededDocument, deps));
  }
  throw new OAuthError('conflict', {
    description: 'Another request changes the client at the same time; try again.',
  });
}

/** The document of a sector identifier URI. */
export async function documentOf(
  uri: string,
  { sectorIdentifiers }: Pick<AdministrationDependencies, 'sectorIdentifiers'>,
): Promise<SectorDocument> {
  return (await sectorIdentifiers?.read(uri)) ?? { problem: 'cannot be requested from here' };
}
