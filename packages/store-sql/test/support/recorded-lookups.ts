import { placedTexts } from '../../src/dialects/postgresql/distributed/citus/hot-work.ts';
import { shardedLookup } from '../../src/dialects/postgresql/distributed/sharded.ts';
import type { LookupTexts } from '../../src/dialects/postgresql/hot/read.ts';
import { hotAccessTokens } from '../../src/grants/access-tokens.ts';
import { hotAuthorizationCodes } from '../../src/grants/authorization-codes.ts';
import { hotConsentAnswers, hotConsents } from '../../src/grants/consents.ts';
import { hotGrants } from '../../src/grants/grants.ts';
import { hotRefreshTokens } from '../../src/grants/refresh-tokens.ts';
import { hotRevocations } from '../../src/grants/revocations.ts';
import { noSegments } from '../../src/grants/token-segments.ts';
import type { Columns } from '../../src/hot/columns.ts';
import type { HotAccess } from '../../src/hot/hot-access.ts';
import type { LookupCall } from '../../src/hot/lookup.ts';
import { hotLoginAttempts } from '../../src/logins/login-attempts.ts';
import { hotLoginSessions } from '../../src/logins/login-sessions.ts';
import { hotSessionClients } from '../../src/logins/session-clients.ts';

const id = '019b0000-0000-7abc-8000-000000000000';

interface RecordedLookup extends LookupTexts {
  readonly parameters: Columns;
}

/** The texts of all lookups of requests as Citus gets them. No row is found. */
export async function recordedLookups(): Promise<RecordedLookup[]> {
  const lookups = new Set<LookupCall['lookup']>();
  const hot: HotAccess = {
    hasShards: false,
    write: async () => 1,
    read: async (lookup) => {
      lookups.add(lookup as unknown as LookupCall['lookup']);
      return undefined;
    },
  };
  await hotAccessTokens(hot, noSegments).find(id);
  await hotAuthorizationCodes(hot, noSegments).find(id);
  await hotRefreshTokens(hot, noSegments).find(id);
  await hotGrants(hot, noSegments).find(id);
  await hotConsentAnswers(hot).isGiven(id);
  await hotLoginSessions(hot, async () => {}).find(id);
  const client = { id, sessionId: id, clientRecordId: 1, sid: 's', subject: 'u', expires: 1 };
  await hotSessionClients(hot).insert(client);
  await hotRevocations(hot).findToken(id);
  const owner = { identityProvider: 'password', name: 'emma' };
  const redirectUri = 'https://app.example/cb';
  await hotConsents(hot).find({ owner, subject: 'emma', clientRecordId: 1, redirectUri });
  await hotLoginAttempts(hot).change(['emma'], (counts) => ({ answer: undefined, counts }));
  return [...lookups].map((lookup) => ({
    ...placedTexts(lookup),
    parameters: shardedLookup(lookup).parameters,
  }));
}
