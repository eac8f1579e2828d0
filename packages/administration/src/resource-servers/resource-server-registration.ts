import {
  checkChosen,
  checkFixedFields,
  checkFree,
  chosenSecret,
  generateSecret,
  identifiersOf,
  isBuiltIn,
  OAuthError,
  resourceServerFields,
  submittedOf,
  Violations,
} from '@watchword/protocol';
import { ownResourceServer } from '../callers/ownership.ts';
import { checkRegistration } from '../callers/registration-right.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { checkCondition, revisionTag } from '../changes/edit.ts';
import { checkManaged } from '../changes/managed.ts';
import { checkRecordLimit } from '../changes/owner-limits.ts';
import { followScopes } from '../clients/client-trust.ts';
import { settableBy } from '../registered/registered-fields.ts';
import { checkJwtClients } from './jwt-clients.ts';
import type { ResourceServerAdministration } from './resource-server-administration.ts';
import {
  auditedResourceServer,
  managedServerChange,
  ofResourceServer,
  replacedSecret,
  resourceServerDifference,
} from './resource-server-record.ts';
import {
  checkResourceServer,
  checkResources,
  resourceServerDefaults,
  storedForm,
} from './resource-server-rules.ts';

/** Registers resource servers and changes their registrations. */
export function resourceServerRegistration(
  deps: AdministrationDependencies,
): Pick<ResourceServerAdministration, 'create' | 'update'> {
  return { ...resourceServerCreation(deps), ...resourceServerUpdate(deps) };
}

function resourceServerCreation(
  deps: AdministrationDependencies,
): Pick<ResourceServerAdministration, 'create'> {
  const { profile, random, scopeSyntax } = deps;
  return {
    async create(
      caller,
      { fields, malformed },
      { owner = caller.identity, secret = chosenSecret(generateSecret(random)), key, chosen } = {},
    ) {
      checkRegistration(caller, deps);
      const registration = settableBy(
        caller,
        resourceServerFields,
        storedForm({ ...resourceServerDefaults, ...fields }, undefined),
        undefined,
      );
      const violations = new Violations(malformed);
      checkResourceServer(caller, registration, { before: undefined, scopeSyntax, profile }, violations);
      checkChosen('key', chosen, violations);
      violations.throwIfAny();
      return changeRecords(caller, deps, async (stores) => {
        await checkRecordLimit(caller, deps, stores);
        await checkResources(registration, undefined, stores.resourceServers);
        await checkFree('key', chosen, stores.resourceServers.find);
        const owned = { owner: owner.name, ownerAuthority: owner.identityProvider };
        const resourceServer = await stores.resourceServers.create(
          {
            ...registration,
            ...owned,
            ...managedServerChange(deps, { ...registration, ...owned }, secret.stored),
            secret: secret.stored,
          },
          identifiersOf(key ?? chosen, registration.name, 'resource-server'),
        );
        if (resourceServer === undefined) throw nameTaken();
        const after = auditedResourceServer(resourceServer);
        return {
          value: { resourceServer, secret: secret.text },
          changes: [{ action: 'create', ...ofResourceServer(resourceServer), after }],
        };
      });
    },
  };
}

function resourceServerUpdate(
  deps: AdministrationDependencies,
): Pick<ResourceServerAdministration, 'update'> {
  const { profile, scopeSyntax } = deps;
  return {
    update: (caller, id, { apply, malformed, condition }, { checksClients = true, secret } = {}) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await ownResourceServer(caller, id, stores);
        checkCondition(condition, revisionTag(before));
        checkManaged(before, deps);
        const current = submittedOf(resourceServerFields, before);
        const fields = settableBy(
          caller,
          resourceServerFields,
          storedForm({ ...current, ...apply(current) }, current),
          current,
        );
        const violations = new Violations(malformed);
        if (isBuiltIn(before)) checkFixedFields(resourceServerFields, current, fields, violations);
        checkResourceServer(caller, fields, { before: current, scopeSyntax, profile }, violations);
        violations.throwIfAny();
        await checkResources(fields, id, stores.resourceServers);
        const { accessTokenFormat } = fields;
        if (checksClients && accessTokenFormat !== before.accessTokenFormat)
          await checkJwtClients({ id, accessTokenFormat }, stores.clients);
        const kept = secret?.stored ?? before.secret;
        const managed = managedServerChange(deps, { ...before, ...fields }, kept);
        const after = await stores.resourceServers.update(id, { ...fields, ...managed, secret: kept });
        if (after === undefined) throw nameTaken();
        const followed = await followScopes(caller, before, after, stores);
        const changes: AuditedChange[] = [
          { action: 'update', ...ofResourceServer(after), ...resourceServerDifference(before, after) },
          ...(secret === undefined ? [] : [replacedSecret(after, secret)]),
          ...followed.changes,
        ];
        return { value: { resourceServer: after, resetClients: followed.resetClients }, changes };
      }),
  };
}

export function nameTaken(): OAuthError {
  return new OAuthError('conflict', {
    description: 'The owner has a resource server of this name already; choose another name.',
  });
}
