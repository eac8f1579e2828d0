import type { ImportedToken } from '@watchword/administration';
import { isObject, type JsonObject, type Principal } from '@watchword/protocol';
import { UsageError } from '../../../command/usage-error.ts';
import { listOf, objectOf, textOf, textsOf, withoutEmpty } from '../json-values.ts';
import { redirectUrisOf } from '../redirect-uris.ts';
import { leftOut, type Note, NoteTaker, type Translation } from '../translation.ts';
import { type Dump, readDump, type SqlRow } from './mysql-dump.ts';

const tables = ['resourceserver', 'client', 'accesstoken'];

/**
 * Resource servers, clients and tokens of the Java original, by a dump of its MySQL or MariaDB database.
 *
 * @param identityProvider of its users and record owners: the database has their names alone
 * @throws UsageError if it is no such dump
 */
export function fromApis(file: string, text: string, identityProvider: string): Translation {
  const dump = readDump(file, text);
  const missing = tables.filter((table) => !dump.has(table));
  if (missing.length > 0)
    throw new UsageError(
      `${file}: expected the tables of apis, but ${missing.join(' and ')} is missing; dump the whole database`,
    );
  const servers = rowsOf(dump, 'resourceserver');
  const own = servers.filter(({ resourceserverkey }) => resourceserverkey !== builtIn);
  const clients = rowsOf(dump, 'client').map((row) => ({ row, ...clientOf(row, own, dump) }));
  const documents = own.map((row) => ({
    ...serverOf(row, dump, identityProvider),
    clients: clients.flatMap(({ row: { resourceserver_id }, document }) =>
      resourceserver_id === row.id && document !== undefined ? [document] : [],
    ),
  }));
  return {
    resourceServers: documents,
    accounts: [],
    tokens: tokensOf(dump, clients, identityProvider),
    notes: [...servers.map(noteOfServer), ...clients.map(({ note }) => note)],
    mustDo: mustDoOf(dump, identityProvider),
  };
}

/** The records of its administration pages. */
const builtIn = 'authorization-server-admin';

function rowsOf(dump: Dump, table: string): readonly SqlRow[] {
  return dump.get(table) ?? [];
}

function elementsOf(dump: Dump, table: string, column: string, { id }: SqlRow): string[] {
  return rowsOf(dump, table).flatMap((row) => (row[column] === id && row.element ? [row.element] : []));
}

function serverOf(row: SqlRow, dump: Dump, identityProvider: string): JsonObject {
  return withoutEmpty({
    key: row.resourceserverkey,
    secret: row.secret,
    name: row.resourceservername,
    owner: row.owner ?? undefined,
    ownerAuthority: row.owner ? identityProvider : undefined,
    ...describedBy(row),
    scopes: elementsOf(dump, 'resourceserver_scopes', 'resourceserver_id', row),
  });
}

function describedBy({ description, contactname, contactemail, thumbnailurl }: SqlRow): JsonObject {
  return { description, contactName: contactname, contactEmail: contactemail, thumbNailUrl: thumbnailurl };
}

function noteOfServer({ id, resourceserverkey: key }: SqlRow): Note {
  if (key === builtIn)
    return leftOut(
      'resourceServer',
      String(id),
      'it is that of the administration pages, which this server has already',
    );
  return new NoteTaker().of('resourceServer', String(id), String(key));
}

interface MovedClient {
  readonly note: Note;
  readonly document: JsonObject | undefined;
}

function clientOf(row: SqlRow, servers: readonly SqlRow[], dump: Dump): MovedClient {
  const [id, clientId] = [String(row.id), String(row.clientid)];
  const server = servers.find((each) => each.id === row.resourceserver_id);
  if (server === undefined) {
    const reason = `${clientId}: it belongs to the administration pages, or to no resource server of the dump`;
    return { note: leftOut('client', id, reason), document: undefined };
  }
  const note = new NoteTaker();
  const isPublic = isOn(row.allowedimplicitgrant);
  if (isPublic && row.secret) note.leftOut.push('its secret: a client with the implicit grant is public');
  if (isPublic) note.mustDo.push('if it uses codes, let it use PKCE with S256');
  const attributes = rowsOf(dump, 'client_attributes').filter(
    (each) => each.client_id === row.id && each.attribute_value !== null,
  );
  const document = withoutEmpty({
    clientId,
    secret: isPublic ? undefined : row.secret,
    clientName: row.clientname,
    ...describedBy({ ...row, contactname: row.contactname || server.contactname || null }),
    scopes: elementsOf(dump, 'client_scopes', 'client_id', row),
    redirectUris: redirectUrisOf(elementsOf(dump, 'client_redirecturis', 'client_id', row), '', note),
    attributes: Object.fromEntries(attributes.map((each) => [each.attribute_name, each.attribute_value])),
    expireDuration: row.expireduration === null ? undefined : Number(row.expireduration),
    allowedImplicitGrant: isPublic,
    allowedClientCredentials: isOn(row.allowedclientcredentials) && !isPublic,
    useRefreshTokens: isOn(row.userefreshtokens),
    skipConsent: isOn(row.skipconsent),
    includePrincipal: isOn(row.includeprincipal),
  });
  return { note: note.of('client', id, clientId), document };
}

/** A bit, which dumps write as 1, b'1', 0x01 or the octet. */
function isOn(value: string | null | undefined): boolean {
  return value === '1' || value === '\x01';
}

function tokensOf(
  dump: Dump,
  clients: readonly (MovedClient & { readonly row: SqlRow })[],
  identityProvider: string,
): ImportedToken[] {
  const clientIds = new Map(
    clients.flatMap(({ row, note }) => (note.name === undefined ? [] : [[row.id, note.name] as const])),
  );
  const scopes = new Map<string | null, string[]>();
  for (const { accesstoken_id: id = null, element } of rowsOf(dump, 'accesstoken_scopes')) {
    if (element) scopes.set(id, [...(scopes.get(id) ?? []), element]);
  }
  return rowsOf(dump, 'accesstoken').flatMap((row) => {
    const clientId = clientIds.get(row.client_id ?? null);
    if (clientId === undefined || !row.token) return [];
    const principal = principalOf(row);
    return [
      {
        id: String(row.id),
        value: row.token,
        refreshValue: row.refreshtoken || undefined,
        clientId,
        // A client that acts for itself is its own principal there.
        owner: principal.name === clientId ? undefined : { identityProvider, principal },
        scopes: scopes.get(row.id ?? null) ?? [],
        expires: Number(row.expires ?? 0),
        creationDate: timeOf(row.creationdate),
      },
    ];
  });
}

/** JSON with the types of Java: `["java.util.ArrayList", ["admin"]]`. */
function principalOf({ encodedprincipal, resourceownerid }: SqlRow): Principal {
  const given = objectOf(untyped(parsed(encodedprincipal)));
  const attributes = Object.entries(objectOf(untyped(given.attributes))).filter(
    ([, value]) => typeof value === 'string',
  );
  return {
    name: textOf(given.name) || String(resourceownerid),
    roles: textsOf(untyped(given.roles)),
    groups: textsOf(untyped(given.groups)),
    adminPrincipal: given.adminPrincipal === true,
    attributes: Object.fromEntries(attributes) as Record<string, string>,
  };
}

function untyped(value: unknown): unknown {
  const [type, content] = listOf(value);
  const isTyped = typeof type === 'string' && /^[a-z][\w$]*(?:\.[\w$]+)+$/.test(type);
  return isTyped && (Array.isArray(content) || isObject(content)) ? content : value;
}

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** The database has the time of its server without a zone: it only orders. */
function timeOf(text: string | null | undefined): number {
  const time = Date.parse(`${text?.replace(' ', 'T')}Z`);
  // A token without a time is older than every end of all tokens of its client.
  return Number.isNaN(time) ? 1 : time;
}

function mustDoOf(dump: Dump, identityProvider: string): string[] {
  const tokens = rowsOf(dump, 'accesstoken').length;
  return [
    ...(tokens > 0
      ? [
          `Tokens come with --tokens alone. Their users are those of the identity provider "${identityProvider}" (--identity-provider).`,
        ]
      : []),
    'Requests that are under way at the old server begin again here.',
  ];
}
