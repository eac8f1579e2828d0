import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether an administrator or the command line created or confirmed a client. */
export const trustedClients: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('client')
      .addColumn('trusted', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    // Of the clients that are there: those made at the command line, and the server's own. What the audit log does not
    // reach back to was made there when nobody who logs in owns its resource server.
    await sql`
      update client set trusted = 1
        where id not in (${recorded('create', sql`not in`)})
          and resource_server_id in (select id from resource_server where owner_authority in ('', 'system'))`.execute(
      db,
    );
    // Elsewhere an owner could change it since.
    await sql`
      update client set trusted = 1
        where id in (${recorded('create', sql`in`)}) and id not in (${recorded('update', sql`not in`)})`.execute(
      db,
    );
  },
};

/** Ids of clients to which the audit log says that this was done, by the command line and the server or by others. */
function recorded(action: 'create' | 'update', byTools: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select cast(record_id as integer) from audit_event
    where record_type = 'client' and action = ${action} and actor_authority ${byTools} ('cli', 'system')`;
}
