import { describe } from 'node:test';
import type { Clock, Registry, Stores } from '@watchword/protocol';
import { accessTokenRules } from './access-tokens.ts';
import { accountRules } from './accounts.ts';
import { auditEventRules } from './audit-events.ts';
import { authorizationCodeRules } from './authorization-codes.ts';
import { clientRules } from './clients.ts';
import { clientsOfScopesRules } from './clients-of-scopes.ts';
import { consentAnswerRules } from './consent-answers.ts';
import { consentRules } from './consents.ts';
import { grantEndRules } from './grant-ends.ts';
import { grantEntryRules } from './grant-entries.ts';
import { grantListRules } from './grant-lists.ts';
import { grantRaceRules } from './grant-races.ts';
import { grantRules } from './grants.ts';
import { identityProviderRules } from './identity-providers.ts';
import { issuedTokenRules } from './issued-tokens.ts';
import { loginAttemptRules } from './login-attempts.ts';
import { loginEventRules } from './login-events.ts';
import { loginSessionRules } from './login-sessions.ts';
import { oneTimeRules } from './one-time.ts';
import { ownerLimitRules } from './owner-limits.ts';
import { raceRules } from './races.ts';
import { refreshRepetitionRules } from './refresh-repetitions.ts';
import { refreshTokenRules } from './refresh-tokens.ts';
import { registryRules } from './registry.ts';
import { resourceServerRules } from './resource-servers.ts';
import { sealingKeyRules } from './sealing-keys.ts';
import { sessionLinkRules } from './session-links.ts';
import { statisticsRules } from './statistics.ts';
import { subjectKeyRules } from './subject-key.ts';
import { tokenScanRules } from './token-scans.ts';
import { transactionRules } from './transactions.ts';

/** A store for one test, empty at the start. */
export interface StoreUnderTest extends Stores {
  readonly registry: Registry;
  /** Resolves when the registry holds every change that was committed before the call. */
  refreshRegistry(): Promise<void>;
  /** Closes the store and removes its database. */
  close(): Promise<void>;
}

export type OpenStore = (clock: Clock) => Promise<StoreUnderTest>;

/** The rules of the store ports, races included. Every store must pass. */
export function storeConformance(name: string, openStore: OpenStore): void {
  describe(`${name}: access tokens`, () => accessTokenRules(openStore));
  describe(`${name}: clients`, () => clientRules(openStore));
  describe(`${name}: clients of removed scopes`, () => clientsOfScopesRules(openStore));
  describe(`${name}: resource servers`, () => resourceServerRules(openStore));
  describe(`${name}: registry`, () => registryRules(openStore));
  describe(`${name}: grants`, () => grantRules(openStore));
  describe(`${name}: grant lists`, () => grantListRules(openStore));
  describe(`${name}: grant entries`, () => grantEntryRules(openStore));
  describe(`${name}: grant ends`, () => grantEndRules(openStore));
  describe(`${name}: authorization codes`, () => authorizationCodeRules(openStore));
  describe(`${name}: refresh tokens`, () => refreshTokenRules(openStore));
  describe(`${name}: refresh repetitions`, () => refreshRepetitionRules(openStore));
  describe(`${name}: consents`, () => consentRules(openStore));
  describe(`${name}: consent answers`, () => consentAnswerRules(openStore));
  describe(`${name}: login sessions`, () => loginSessionRules(openStore));
  describe(`${name}: sealing keys`, () => sealingKeyRules(openStore));
  describe(`${name}: subject key`, () => subjectKeyRules(openStore));
  describe(`${name}: accounts`, () => accountRules(openStore));
  describe(`${name}: login attempts`, () => loginAttemptRules(openStore));
  describe(`${name}: token scans`, () => tokenScanRules(openStore));
  describe(`${name}: issued tokens`, () => issuedTokenRules(openStore));
  describe(`${name}: identity providers`, () => identityProviderRules(openStore));
  describe(`${name}: audit events`, () => auditEventRules(openStore));
  describe(`${name}: login events`, () => loginEventRules(openStore));
  describe(`${name}: statistics`, () => statisticsRules(openStore));
  describe(`${name}: owner limits`, () => ownerLimitRules(openStore));
  describe(`${name}: transactions`, () => transactionRules(openStore));
  describe(`${name}: one-time keys`, () => oneTimeRules(openStore));
  describe(`${name}: session links`, () => sessionLinkRules(openStore));
  describe(`${name}: races`, () => raceRules(openStore));
  describe(`${name}: grant races`, () => grantRaceRules(openStore));
}
