import { schema } from './0001-schema.ts';
import { requestErrorRules } from './0002-request-error-rules.ts';
import { tokenSegments } from './0003-token-segments.ts';
import { outboxTimes } from './0004-outbox-times.ts';
import { sealedAnswers } from './0005-sealed-answers.ts';
import { enabledAccounts } from './0006-enabled-accounts.ts';
import { confirmedClients } from './0007-confirmed-clients.ts';
import { accountClaims } from './0008-account-claims.ts';
import { sessionEnds } from './0009-session-ends.ts';
import { searchTexts } from './0010-search-texts.ts';
import { searchIndexes } from './0011-search-indexes.ts';
import { stepRecords } from './0012-step-records.ts';
import type { Migration } from './migration.ts';

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
};
