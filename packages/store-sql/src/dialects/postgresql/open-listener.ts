import { type Kysely, sql } from 'kysely';
import { DatabaseOpenError } from '../../schema/database-open-error.ts';
import type { Schema } from '../../schema/schema.ts';
import { type DatabaseUrl, parseUrl, withoutPassword } from './connection/url.ts';
import { ChangeListener } from './listen.ts';
import { toOpenError } from './open-errors.ts';
import { type PostgresqlOptions, settingsOf } from './options.ts';
import { listeningHosts, type Place } from './pools.ts';

/** The database of the server. */
type Opened = Place & { readonly db: Kysely<Schema> };

/** Connects for LISTEN, if the settings ask for it. Later it is opened again as often as it is lost. @throws DatabaseOpenError */
export async function openListener(
  options: PostgresqlOptions,
  opening: Opened,
  applicationName: string,
): Promise<ChangeListener | undefined> {
  const { listen } = settingsOf(options);
  if (listen === undefined) return undefined;
  const url = parseUrl(listen);
  const listener = await ChangeListener.open(listeningHosts(url, options, applicationName, opening)).catch(
    (error: unknown) => {
      throw withRoles(toOpenError(url, error, 'the database of databaseListen,'), url, opening.url);
    },
  );
  try {
    await requireSameDatabase(listener, url, opening);
    return listener;
  } catch (error) {
    await listener.stop();
    throw error;
  }
}

/** A pooler can have another name for a database, so the databases themselves are asked: notifications stay in one. */
async function requireSameDatabase(
  listener: ChangeListener,
  url: DatabaseUrl,
  { db }: Opened,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const [expected, came] = [rows[0]?.name, await listener.database()];
  if (came === expected) return;
  throw new DatabaseOpenError(
    `databaseListen (${withoutPassword(url)}) leads to the database "${came}", and the URL of the database leads to "${expected}". A server hears of changes of its own database only: name "${expected}" in databaseListen.`,
  );
}

/** The password of the database's URL is that of one role. */
function withRoles(error: unknown, listening: DatabaseUrl, { user }: DatabaseUrl): unknown {
  const isMissing = error instanceof DatabaseOpenError && error.message.includes('asks for a password');
  if (!isMissing || listening.password !== undefined || listening.user === user) return error;
  return new DatabaseOpenError(
    `${error.message} databaseListen names the role "${listening.user}" and has no password, and the password of the database's URL is that of the role "${user}". Name "${user}" in databaseListen, or write a password into it.`,
    { cause: error.cause },
  );
}
