import { schema } from './migrations/0001-schema.ts';
import { requestErrorRules } from './migrations/0002-request-error-rules.ts';
import { tokenSegments } from './migrations/0003-token-segments.ts';
import { outboxTimes } from './migrations/0004-outbox-times.ts';
import { sealedAnswers } from './migrations/0005-sealed-answers.ts';
import { enabledAccounts } from './migrations/0006-enabled-accounts.ts';
import { confirmedClients } from './migrations/0007-confirmed-clients.ts';
import { accountClaims } from './migrations/0008-account-claims.ts';
import { sessionEnds } from './migrations/0009-session-ends.ts';
import { searchTexts } from './migrations/0010-search-texts.ts';
import { searchIndexes } from './migrations/0011-search-indexes.ts';
import { stepRecords } from './migrations/0012-step-records.ts';
import { authenticators } from './migrations/0013-authenticators.ts';
import { sessionDevices } from './migrations/0014-session-devices.ts';
import { branding } from './migrations/0015-branding.ts';
import { personLinks } from './migrations/0016-person-links.ts';
import { outgoingMail } from './migrations/0017-outgoing-mail.ts';
import { accountLinks } from './migrations/0018-account-links.ts';
import { credentials } from './migrations/0019-credentials.ts';
import { mailsOfAccounts } from './migrations/0020-mails-of-accounts.ts';
import { installationDefaults } from './migrations/0021-installation-defaults.ts';
import { longPasswords } from './migrations/0022-long-passwords.ts';
import { otherResourceServers } from './migrations/0024-other-resource-servers.ts';
import { clientHosts } from './migrations/0025-client-hosts.ts';
import { clientRegistrations } from './migrations/0026-client-registrations.ts';
import { administrativeRights } from './migrations/0027-administrative-rights.ts';
import { configurations } from './migrations/0028-configurations.ts';
import { clientsOfEvents } from './migrations/0029-clients-of-events.ts';
import { endedParts } from './migrations/0030-ended-parts.ts';
import { boundCodes } from './migrations/0032-bound-codes.ts';
import { endedPartsOfTokens } from './migrations/0036-ended-parts-of-tokens.ts';
import { clientSecrets } from './migrations/0037-client-secrets.ts';
import type { Migration } from './migrations/migration.ts';

/** Every migration, with the name that the database stores. A released migration is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-schema': schema,
  '0002-request-error-rules': requestErrorRules,
  '0003-token-segments': tokenSegments,
  '0004-outbox-times': outboxTimes,
  '0005-sealed-answers': sealedAnswers,
  '0006-enabled-accounts': enabledAccounts,
  '0007-confirmed-clients': confirmedClients,
  '0008-account-claims': accountClaims,
  '0009-session-ends': sessionEnds,
  '0010-search-texts': searchTexts,
  '0011-search-indexes': searchIndexes,
  '0012-step-records': stepRecords,
  '0013-authenticators': authenticators,
  '0014-session-devices': sessionDevices,
  '0015-branding': branding,
  '0016-person-links': personLinks,
  '0017-outgoing-mail': outgoingMail,
  '0018-account-links': accountLinks,
  '0019-credentials': credentials,
  '0020-mails-of-accounts': mailsOfAccounts,
  '0021-installation-defaults': installationDefaults,
  '0022-long-passwords': longPasswords,
  '0024-other-resource-servers': otherResourceServers,
  '0025-client-hosts': clientHosts,
  '0026-client-registrations': clientRegistrations,
  '0027-administrative-rights': administrativeRights,
  '0028-configurations': configurations,
  '0029-clients-of-events': clientsOfEvents,
  '0030-ended-parts': endedParts,
  '0032-bound-codes': boundCodes,
  '0036-ended-parts-of-tokens': endedPartsOfTokens,
  '0037-client-secrets': clientSecrets,
};
