import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { LoginEventColumns } from '../../login-event-columns.ts';
import { idToBytes } from '../../token-id.ts';
import { answerKey } from './answer-key.ts';
import type {
  AnswerColumns,
  AuthorizationOperation,
  CodeColumns,
  GrantColumns,
  GrantedTokenColumns,
  LoginSessionColumns,
  RefreshTokenColumns,
} from './authorization-operations.ts';
import { outcomeNumber } from './repetition-outcomes.ts';

// Single use is decided by the statement that marks the use, and by it alone: whoever changes the row has won.
const redeem = `update authorization_code set redeemed_at = ?
  where id = ? and grant_id = ? and redeemed_at is null and failures < ?
    and exists (select 1 from authorization_grant as g where g.id = grant_id and g.revoked_at is null)`;
const rotate = `update refresh_token set rotated_at = ?, sealed_answer = ?, successor_id = ?
  where id = ? and grant_id = ? and rotated_at is null
    and exists (select 1 from authorization_grant as g where g.id = grant_id and g.revoked_at is null)
  returning case when repetitions > 0 then streak + 1 else 0 end as streak`;
// A token knows how often it was handed out again, and how many rotations in a row before its own were repeated.
const repeatRotation = `update refresh_token set repetitions = repetitions + 1
  where id = (select successor_id from refresh_token where id = ?1)
    and exists (select 1 from authorization_grant as g where g.id = grant_id and g.revoked_at is null)
  returning case
    when rotated_at is not null then ${outcomeNumber('used')}
    when ?3 > 0 and streak + 1 >= ?3 then ${outcomeNumber('streak')}
    when repetitions > ?2 then ${outcomeNumber('exhausted')}
    else ${outcomeNumber('answered')} end as outcome`;
const insertGrant = `insert into authorization_grant
    (id, client_record_id, identity_provider, principal_name, principal, scopes, creation_date,
      last_used, expires, subject, authentication)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const useGrant = `update authorization_grant set last_used = max(last_used, ?1),
    expires = case when expires = 0 or ?2 = 0 then 0 else max(expires, ?2) end
  where id = ?3`;
// The id of a code may be that of the consent page that it answers. Such a page is answered once, by a code or by an
// answer that is noted: the statement that writes the one finds neither.
const insertCode = `insert into authorization_code
    (id, verifier_hash, grant_id, client_record_id, redirect_uri, code_challenge, scopes, expires,
      creation_date, failures)
  select ?, ?, ?, ?, ?, ?, ?, ?, ?, 0
  where not exists (select 1 from one_time where one_time_key = ?)
  on conflict (id) do nothing`;
const insertAnswer = `insert into one_time (one_time_key, stored_value, expires)
  select ?, '', ?
  where not exists (select 1 from authorization_code where id = ?)
  on conflict (one_time_key) do nothing`;
const insertToken = `insert into access_token
    (id, verifier_hash, grant_id, client_record_id, scopes, expires, creation_date)
  values (?, ?, ?, ?, ?, ?, ?)`;
const insertRefreshToken = `insert into refresh_token
    (id, verifier_hash, grant_id, client_record_id, scopes, expires, absolute_expires, creation_date,
      repetitions, streak)
  values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`;
const recordFailure = 'update authorization_code set failures = failures + 1 where id = ?';
const revokeGrant = 'update authorization_grant set revoked_at = ? where id = ? and revoked_at is null';
// Else a grant whose one token did not expire would stay for ever.
const endEmptyGrant = `update authorization_grant set revoked_at = last_used
  where id = ?1 and revoked_at is null
    and not exists (select 1 from access_token where grant_id = ?1)
    and not exists (select 1 from refresh_token where grant_id = ?1 and rotated_at is null)`;
const saveConsent = `insert into consent
    (client_record_id, identity_provider, principal_name, redirect_uri, scopes, saved_at, subject)
  select ?1, ?2, ?3, ?4, ?5, ?6, ?7
  where ?8 is null or exists (select 1 from authorization_grant where id = ?8 and revoked_at is null)
  on conflict (client_record_id, identity_provider, principal_name, redirect_uri)
  do update set scopes = excluded.scopes, saved_at = excluded.saved_at, subject = excluded.subject`;
const insertSession = `insert into login_session
    (id, verifier_hash, authenticator, identity_provider, principal_name, principal, creation_date,
      last_used, expires, subject, authentication)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const touchSession = 'update login_session set last_used = ?1 where id = ?2 and last_used < ?1';
const insertEvent = `insert into login_event
    (id, occurred_at, event_action, identity_provider, principal_name, client_id, source_address,
      record_type, record_id, record_name, state_after)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const deleteSession = 'delete from login_session where id = ?';

export interface AuthorizationRunner {
  /** The rows changed. An operation that is refused, 0, has changed nothing: what decides comes first. */
  run(operation: AuthorizationOperation): number;
  /** Revokes the grant if no token that lives is left under it. */
  endEmptyGrant(grantId: Uint8Array): void;
}

/** Runs the writes of the authorization flow, inside a transaction of the caller's. */
export function authorizationRunner(db: DatabaseSync): AuthorizationRunner {
  // Prepared at first use: the tables are there only after the migrations.
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const run = (sql: string, ...parameters: SQLInputValue[]) =>
    Number(prepared(sql).run(...parameters).changes);

  const storeGrant = ([id, ...columns]: GrantColumns, expires: number) => {
    const lastUsed = columns[5];
    const how = columns.slice(6);
    return run(insertGrant, idToBytes(id), ...columns.slice(0, 6), lastUsed, expires, ...how);
  };
  const storeCode = ([id, hash, grantId, ...columns]: CodeColumns) =>
    run(insertCode, idToBytes(id), hashToBytes(hash), idToBytes(grantId), ...columns, answerKey(id));
  const storeAnswer = ([id, expires]: AnswerColumns) =>
    run(insertAnswer, answerKey(id), expires, idToBytes(id));
  const storeToken = ([id, hash, grantId, ...columns]: GrantedTokenColumns) =>
    run(insertToken, idToBytes(id), hashToBytes(hash), idToBytes(grantId), ...columns);
  const storeRefreshToken = ([id, hash, grantId, ...columns]: RefreshTokenColumns, streak: number) =>
    run(insertRefreshToken, idToBytes(id), hashToBytes(hash), idToBytes(grantId), ...columns, streak);
  const storeEvent = (event: LoginEventColumns | undefined) => {
    if (event !== undefined) run(insertEvent, idToBytes(event[0]), ...event.slice(1));
  };
  const storeSession = ([id, hash, ...columns]: LoginSessionColumns) =>
    run(insertSession, idToBytes(id), hashToBytes(hash), ...columns);
  const issue = (
    now: number,
    token: GrantedTokenColumns,
    refreshToken: RefreshTokenColumns | undefined,
    streak = 0,
  ) => {
    storeToken(token);
    if (refreshToken !== undefined) storeRefreshToken(refreshToken, streak);
    const [, , grantId, , , tokenExpires] = token;
    const expires = tokenExpires === 0 ? 0 : Math.max(tokenExpires, refreshToken?.[5] ?? 0);
    run(useGrant, now, expires, idToBytes(grantId));
  };

  const runOperation = (operation: AuthorizationOperation): number => {
    switch (operation[0]) {
      case 'insertGrantWithCode': {
        const [, grant, code, event] = operation;
        if (storeCode(code) === 0) return 0;
        storeEvent(event);
        return storeGrant(grant, code[7]);
      }
      case 'insertGrantWithToken': {
        const [, grant, token, answer, event] = operation;
        if (answer !== undefined && storeAnswer(answer) === 0) return 0;
        storeEvent(event);
        storeToken(token);
        return storeGrant(grant, token[5]);
      }
      case 'noteAnswer':
        return storeAnswer(operation[1]);
      case 'redeemCode': {
        const [, id, now, maxFailures, token, refreshToken] = operation;
        const redeemed = run(redeem, now, idToBytes(id), idToBytes(token[2]), maxFailures);
        if (redeemed > 0) issue(now, token, refreshToken);
        return redeemed;
      }
      case 'rotateRefreshToken': {
        const [, id, now, sealedAnswer, token, successor] = operation;
        const [successorId, grantId] = [idToBytes(successor[0]), idToBytes(token[2])];
        const rotated = prepared(rotate).get(now, sealedAnswer, successorId, idToBytes(id), grantId);
        if (rotated === undefined) return 0;
        issue(now, token, successor, Number(rotated.streak));
        return 1;
      }
      case 'recordCodeFailure':
        return run(recordFailure, idToBytes(operation[1]));
      case 'repeatRotation': {
        const [, id, maxRepetitions, maxStreak] = operation;
        const decided = prepared(repeatRotation).get(idToBytes(id), maxRepetitions, maxStreak);
        return Number(decided?.outcome ?? outcomeNumber('used'));
      }
      case 'revokeGrant':
        return run(revokeGrant, operation[2], idToBytes(operation[1]));
      case 'saveConsent': {
        const [, consent, grantId] = operation;
        return run(saveConsent, ...consent, grantId === undefined ? null : idToBytes(grantId));
      }
      case 'insertLoginSession':
        storeEvent(operation[2]);
        return storeSession(operation[1]);
      case 'touchLoginSession':
        return run(touchSession, operation[2], idToBytes(operation[1]));
      case 'deleteLoginSession': {
        const [, id, event] = operation;
        const deleted = run(deleteSession, idToBytes(id));
        if (deleted > 0) storeEvent(event);
        return deleted;
      }
    }
  };

  return {
    run: runOperation,
    endEmptyGrant(grantId) {
      run(endEmptyGrant, grantId);
    },
  };
}

function hashToBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
