import {
  checkChosen,
  checkClient,
  checkFixedFields,
  checkFree,
  checkSector,
  chosenSecret,
  clientDefaults,
  clientFields,
  generateSecret,
  identifiersOf,
  impliedBy,
  isBuiltInClient,
  isPublicClient,
  normalized,
  registrationOf,
  Violations,
} from '@watchword/protocol';
import { ownClient, ownResourceServer } from '../callers/ownership.ts';
import { checkRegistration } from '../callers/registration-right.ts';
import { clientDifference, ofClient } from '../changes/audit.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { checkCondition, revisionTag } from '../changes/edit.ts';
import { checkRecordLimit } from '../changes/owner-limits.ts';
import { clientRecord } from '../records.ts';
import { settableBy } from '../registered/settable-fields.ts';
import { changeClient } from './change-client.ts';
import type { ClientAdministration } from './client-administration.ts';
import { newTrust, resetFields, trustAfter } from './client-trust.ts';

/** Registers clients and changes their registrations. */
export function clientRegistration(
  deps: AdministrationDependencies,
): Pick<ClientAdministration, 'create' | 'update'> {
  const { algorithms, random, scopeSyntax } = deps;

  return {
    create: (caller, resourceServerId, { fields, malformed }, { secret: given, clientId, chosen } = {}) =>
      changeClient(caller, deps, async (stores, documents) => {
        checkRegistration(caller, deps);
        const resourceServer = await ownResourceServer(caller, resourceServerId, stores);
        const registration = settableBy(
          caller,
          clientFields,
          normalized({ ...clientDefaults, ...impliedBy(fields) }),
          undefined,
        );
        const violations = new Violations(malformed);
        checkClient(registration, { before: undefined, scopeSyntax, algorithms }, resourceServer, violations);
        checkChosen('clientId', chosen, violations);
        violations.throwIfAny();
        const neededDocument = checkSector(registration, undefined, documents);
        if (neededDocument !== undefined) return { neededDocument };
        await checkRecordLimit(caller, deps, stores);
        await checkFree('clientId', chosen, stores.clients.find);
        const secret = isPublicClient(registration)
          ? undefined
          : (given ?? chosenSecret(generateSecret(random)));
        const client = await stores.clients.create(
          {
            ...registration,
            ...newTrust(caller),
            resourceServerId,
            secret: secret?.stored,
            tokensValidFrom: 0,
          },
          identifiersOf(clientId ?? chosen, registration.clientName, 'client'),
        );
        if (client === undefined) throw new Error('a resource server that was just read does not exist');
        const created = { action: 'create', ...ofClient(client, resourceServer) } as const;
        const changes = [{ ...created, after: clientRecord(client) }];
        return { value: { client, secret: secret?.text }, changes };
      }),

    update: (caller, address, { apply, malformed, condition }) =>
      changeClient(caller, deps, async (stores, documents) => {
        const { client: before, resourceServer } = await ownClient(caller, address, stores);
        checkCondition(condition, revisionTag(before));
        const current = registrationOf(before);
        const edited = normalized({ ...current, ...impliedBy(apply(current)) });
        const submitted = settableBy(caller, clientFields, edited, current);
        const fields = { ...submitted, ...trustAfter(caller, before, submitted) };
        const violations = new Violations(malformed);
        if (isBuiltInClient(before, resourceServer))
          checkFixedFields(clientFields, current, fields, violations);
        checkClient(fields, { before: current, scopeSyntax, algorithms }, resourceServer, violations);
        violations.throwIfAny();
        const neededDocument = checkSector(fields, current, documents);
        if (neededDocument !== undefined) return { neededDocument };
        // A client that becomes public loses its secret. A client that becomes confidential gets a secret by rotation.
        const change = isPublicClient(fields) ? { ...fields, secret: undefined } : fields;
        const after = await stores.clients.update(before.id, change);
        if (after === undefined) throw new Error('a client that was just read does not exist');
        const updated = { action: 'update', ...ofClient(after, resourceServer) } as const;
        return {
          value: { client: after, reset: resetFields(caller, before, after) },
          changes: [{ ...updated, ...clientDifference(before, after) }],
        };
      }),
  };
}
