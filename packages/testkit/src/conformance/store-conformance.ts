import { describe } from 'node:test';
import { type Eighths, endRules } from './ends.ts';
import { accessTokenRules } from './grants/access-tokens.ts';
import { authorizationCodeRules } from './grants/authorization-codes.ts';
import { consentAnswerRules, consentRules } from './grants/consents.ts';
import { endedClientRules, grantEndRules } from './grants/grant-ends.ts';
import { grantEntryRules } from './grants/grant-entries.ts';
import { grantListRules } from './grants/grant-lists.ts';
import { grantRules } from './grants/grants.ts';
import { issuedTokenRules } from './grants/issued-tokens.ts';
import { jwtRules } from './grants/jwts.ts';
import { grantRaceRules, raceRules } from './grants/races.ts';
import { refreshRepetitionRules, refreshTokenRules } from './grants/refresh-tokens.ts';
import { revocationRules } from './grants/revocations.ts';
import { tokenScanRules } from './grants/token-scans.ts';
import { auditEventRules, requestErrorRules } from './history/recorded-events.ts';
import { statisticsRules } from './history/statistics.ts';
import { loginAttemptRules, loginEventRules } from './logins/login-events.ts';
import { loginSessionRules } from './logins/login-sessions.ts';
import { oneTimeRules, sessionLinkRules, stepRecordRules } from './logins/login-steps.ts';
import { sessionClientRules } from './logins/session-clients.ts';
import { accountLinkRules } from './people/account-links.ts';
import { accountLookupRules, identityProviderRules } from './people/account-lookups.ts';
import { accountRules } from './people/accounts.ts';
import { authenticatorRules } from './people/authenticators.ts';
import { brandingRules } from './people/branding.ts';
import { credentialRules } from './people/credentials.ts';
import { outgoingMailRules } from './people/outgoing-mail.ts';
import { ownerLimitRules } from './people/owner-limits.ts';
import { personLinkRules } from './people/person-links.ts';
import { clientRegistrationRules } from './records/client-registrations.ts';
import { clientSecretRules } from './records/client-secrets.ts';
import { clientRules, clientsOfScopesRules } from './records/clients.ts';
import { clientsOfOthersRules } from './records/clients-of-others.ts';
import { hostRuleRules } from './records/host-rules.ts';
import { sealingKeyRules, signingKeyRules, subjectKeyRules } from './records/keys.ts';
import { managedRecordRules } from './records/managed-records.ts';
import { registryRules } from './records/registry.ts';
import { resourceServerRules } from './records/resource-servers.ts';
import { rightRules } from './records/rights.ts';
import type { OpenStore } from './store-under-test.ts';
import { transactionRules } from './transactions.ts';

/**
 * The rules of the store ports, races included. Every store must pass.
 *
 * @param eighths of the longest list of pairs (`ends.ts`), where the memory store has all of them in the same run
 */
export function storeConformance(name: string, openStore: OpenStore, eighths?: Eighths): void {
  accessConformance(name, openStore, eighths);
  recordConformance(name, openStore);
}

/** The rules of what requests read and write, of races, and of what each engine does in its own way. */
export function accessConformance(name: string, openStore: OpenStore, eighths?: Eighths): void {
  describe(`${name}: access tokens`, () => accessTokenRules(openStore));
  describe(`${name}: ended clients`, () => endedClientRules(openStore));
  describe(`${name}: registry`, () => registryRules(openStore));
  describe(`${name}: grants`, () => grantRules(openStore));
  describe(`${name}: grant lists`, () => grantListRules(openStore));
  describe(`${name}: grant entries`, () => grantEntryRules(openStore));
  describe(`${name}: grant ends`, () => grantEndRules(openStore));
  describe(`${name}: authorization codes`, () => authorizationCodeRules(openStore));
  describe(`${name}: refresh tokens`, () => refreshTokenRules(openStore));
  describe(`${name}: refresh repetitions`, () => refreshRepetitionRules(openStore));
  describe(`${name}: JWT access tokens`, () => jwtRules(openStore));
  describe(`${name}: revocations`, () => revocationRules(openStore));
  describe(`${name}: consents`, () => consentRules(openStore));
  describe(`${name}: consent answers`, () => consentAnswerRules(openStore));
  describe(`${name}: login sessions`, () => loginSessionRules(openStore));
  describe(`${name}: sealing keys`, () => sealingKeyRules(openStore));
  describe(`${name}: signing keys`, () => signingKeyRules(openStore));
  describe(`${name}: subject key`, () => subjectKeyRules(openStore));
  describe(`${name}: login attempts`, () => loginAttemptRules(openStore));
  describe(`${name}: token scans`, () => tokenScanRules(openStore));
  describe(`${name}: issued tokens`, () => issuedTokenRules(openStore));
  describe(`${name}: transactions`, () => transactionRules(openStore));
  describe(`${name}: one-time keys`, () => oneTimeRules(openStore));
  describe(`${name}: clients of sessions`, () => sessionClientRules(openStore));
  describe(`${name}: session links`, () => sessionLinkRules(openStore));
  describe(`${name}: step records`, () => stepRecordRules(openStore));
  describe(`${name}: races`, () => raceRules(openStore));
  describe(`${name}: ends`, () => endRules(openStore, eighths));
  describe(`${name}: grant races`, () => grantRaceRules(openStore));
}

/** The rules of records of the administration, of people and of history. */
export function recordConformance(name: string, openStore: OpenStore): void {
  describe(`${name}: clients`, () => clientRules(openStore));
  describe(`${name}: secrets of clients`, () => clientSecretRules(openStore));
  describe(`${name}: clients of removed scopes`, () => clientsOfScopesRules(openStore));
  describe(`${name}: clients of several resource servers`, () => clientsOfOthersRules(openStore));
  describe(`${name}: resource servers`, () => resourceServerRules(openStore));
  describe(`${name}: accounts`, () => {
    accountRules(openStore);
    accountLookupRules(openStore);
  });
  describe(`${name}: identity providers`, () => identityProviderRules(openStore));
  describe(`${name}: authenticators`, () => authenticatorRules(openStore));
  describe(`${name}: branding`, () => brandingRules(openStore));
  describe(`${name}: managed records`, () => managedRecordRules(openStore));
  describe(`${name}: host rules`, () => hostRuleRules(openStore));
  describe(`${name}: administrative rights`, () => rightRules(openStore));
  describe(`${name}: client registrations`, () => clientRegistrationRules(openStore));
  describe(`${name}: audit events`, () => auditEventRules(openStore));
  describe(`${name}: login events`, () => loginEventRules(openStore));
  describe(`${name}: request errors`, () => requestErrorRules(openStore));
  describe(`${name}: statistics`, () => statisticsRules(openStore));
  describe(`${name}: owner limits`, () => ownerLimitRules(openStore));
  describe(`${name}: links of accounts`, () => accountLinkRules(openStore));
  describe(`${name}: credentials`, () => credentialRules(openStore));
  describe(`${name}: links of people`, () => personLinkRules(openStore));
  describe(`${name}: outgoing mail`, () => outgoingMailRules(openStore));
}
