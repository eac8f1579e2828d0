import {
  type LoginSession,
  type LoginSessionQuery,
  type LoginSessionStore,
  logoutDeliveryRetention,
  type SessionEnd,
  type SessionState,
} from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Named } from '../hot/columns.ts';
import { add, type Command, commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import { loginSessionColumns } from '../hot/tables.ts';
import { idFromBytes, idToBytes, leastIdAt } from '../hot/token-id.ts';
import type { Schema } from '../schema/schema.ts';
import { addLoginEvent } from './event-rows.ts';
import { authenticationText, ownerRow, toAuthentication, toResourceOwner } from './resource-owner-row.ts';

const byId = lookup(
  { id: 'id' },
  loginSessionColumns,
  (byKey) => `login_session as t where ${byKey('t.id = :id', 't')}`,
);

/** @param isEnded called after the end of a session whose clients learn of it */
export function hotLoginSessions(
  hot: HotAccess,
  isEnded: (sessionId: string, now: number) => Promise<void>,
): Omit<LoginSessionStore, 'list' | 'listGranted'> {
  return {
    find: (id) => hot.read(byId, { id }, toLoginSession),

    async insert(session, event) {
      const command = commandOf(statements.insertLoginSession, toRow(session));
      addLoginEvent(command, event);
      return (await hot.write(command)) > 0;
    },

    async raise(session, event) {
      const command = commandOf(statements.raiseLoginSession, toRow(session));
      addLoginEvent(command, event);
      return (await hot.write(command)) > 0;
    },

    async touch(id, now) {
      await hot.write(commandOf(statements.touchLoginSession, { id, now }));
    },

    async delete(id, end) {
      const isDeleted = (await hot.write(deletion(id, end))) > 0;
      if (isDeleted && end.goesOn !== true) await isEnded(id, end.now);
      return isDeleted;
    },
  };
}

export function sqlLoginSessions(db: Kysely<Schema>): Pick<LoginSessionStore, 'list' | 'listGranted'> {
  return {
    list: async (query) =>
      (await listed(db, query)).map((row) => toLoginSession({ ...row, id: idFromBytes(row.id) })),

    async listGranted(clientRecordId, users) {
      const ids = new Set<string>();
      for (const [identityProvider, same] of Map.groupBy(users, (user) => user.identityProvider)) {
        const names = same.map(({ name }) => name);
        // The indexes by owner are apart for revoked grants.
        for (const operator of ['is', 'is not'] as const) {
          const rows = await db
            .selectFrom('authorization_grant')
            .select('authentication')
            .where('principal_name', 'in', names)
            .where('identity_provider', '=', identityProvider)
            .where('client_record_id', '=', clientRecordId)
            .where('revoked_at', operator, null)
            .execute();
          for (const { authentication } of rows) {
            const { sessionId } = toAuthentication(authentication, { identityProvider });
            if (sessionId !== undefined) ids.add(sessionId);
          }
        }
      }
      return ids;
    },
  };
}

function listed(db: Kysely<Schema>, { owner, subject, since = 0, before, limit }: LoginSessionQuery) {
  let query = db.selectFrom('login_session').selectAll().orderBy('id', 'desc').limit(limit);
  // An id begins with its time.
  if (since > 0) query = query.where('id', '>=', leastIdAt(since));
  if (before !== undefined) query = query.where('id', '<', idToBytes(before));
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (owner !== undefined) {
    query = query
      .where('identity_provider', '=', owner.identityProvider)
      .where('principal_name', '=', owner.name);
  }
  return query.execute();
}

/** A command that changes nothing if the session is not as it was read. */
export function heldBy(session: SessionState | undefined): Command {
  if (session === undefined) return [];
  return commandOf(statements.holdSession, { session_id: session.id, ends: session.ends });
}

function deletion(id: string, { now, event, goesOn = false }: SessionEnd): Command {
  const command = commandOf(statements.deleteLoginSession, { id });
  if (!goesOn) {
    const expires = now + logoutDeliveryRetention;
    add(command, statements.endSessionClients, { session_id: id, now, expires });
  }
  addLoginEvent(command, event);
  return command;
}

type LoginSessionRow = Named<typeof loginSessionColumns>;

function toRow(session: LoginSession): LoginSessionRow {
  return {
    id: session.id,
    verifier_hash: session.verifierHash,
    authenticator: session.authenticator,
    ...ownerRow(session.owner),
    authentication: authenticationText(session.authentication, {
      sessionId: session.id,
      identityProvider: session.owner.identityProvider,
    }),
    creation_date: session.creationDate,
    last_used: session.lastUsed,
    expires: session.expires,
    ends: session.ends,
    source_address: session.source,
    device: session.device,
  };
}

function toLoginSession(row: LoginSessionRow): LoginSession {
  return {
    id: row.id,
    verifierHash: row.verifier_hash,
    authenticator: row.authenticator,
    owner: toResourceOwner(row),
    authentication: toAuthentication(row.authentication, {
      sessionId: row.id,
      identityProvider: row.identity_provider,
    }),
    creationDate: row.creation_date,
    lastUsed: row.last_used,
    expires: row.expires,
    ends: row.ends,
    source: row.source_address,
    device: row.device,
  };
}
