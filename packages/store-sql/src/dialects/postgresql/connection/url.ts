import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import {
  requireKnownParameters,
  type SslMode,
  sslModes,
  type TargetSession,
  targetSessions,
} from './url-parameters.ts';

export interface Host {
  /** A name, an address, or the directory of a Unix socket. */
  readonly name: string;
  readonly port: number;
}

/** Where a database is, as its URL says. */
export interface DatabaseUrl {
  /** In the order in which they are tried. */
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly applicationName: string | undefined;
  readonly sslMode: SslMode;
  /** Names of PEM files. */
  readonly sslRootCert: string | undefined;
  readonly sslCert: string | undefined;
  readonly sslKey: string | undefined;
  readonly targetSession: TargetSession;
}

const defaultPort = 5432;

// A URL of several hosts is no URL for WHATWG, so the form of libpq is read here (PostgreSQL documentation, "Connection URIs").
const form = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;

/** @throws DatabaseOpenError whose message has no part of the URL that can be a password */
export function parseUrl(url: string): DatabaseUrl {
  const match = form.exec(url);
  if (match === null) throw malformed('it has another form');
  const [, userInfo, hostList = '', path = '', query = ''] = match;
  const { user, password } = parseUserInfo(userInfo);
  const database = decoded(path, 'the database');
  if (database === '') throw malformed('it names no database');
  const parameters = parseParameters(query);
  return {
    hosts: parseHosts(hostList),
    user,
    password,
    database,
    applicationName: parameters.get('application_name'),
    sslMode: oneOf('sslmode', parameters.get('sslmode') ?? 'prefer', sslModes),
    sslRootCert: parameters.get('sslrootcert'),
    sslCert: parameters.get('sslcert'),
    sslKey: parameters.get('sslkey'),
    targetSession: oneOf(
      'target_session_attrs',
      parameters.get('target_session_attrs') ?? 'read-write',
      targetSessions,
    ),
  };
}

/** The URL without its password, for messages. */
export function shownUrl(url: string): string {
  try {
    return withoutPassword(parseUrl(url));
  } catch {
    return 'postgres://…';
  }
}

export function withoutPassword({ user, hosts, database }: DatabaseUrl): string {
  return `postgres://${encodeURIComponent(user)}@${hosts.map(shownHost).join(',')}/${encodeURIComponent(database)}`;
}

export function shownHost({ name, port }: Host): string {
  const host = name.startsWith('/') ? encodeURIComponent(name) : name.includes(':') ? `[${name}]` : name;
  return port === defaultPort ? host : `${host}:${port}`;
}

function parseUserInfo(userInfo: string | undefined): { user: string; password: string | undefined } {
  const [first = '', ...rest] = (userInfo ?? '').split(':');
  const user = decoded(first, 'the user');
  if (user === '') throw malformed('it names no user');
  return { user, password: rest.length === 0 ? undefined : decoded(rest.join(':'), 'the password') };
}

function parseHosts(list: string): Host[] {
  if (list === '') throw malformed('it names no host');
  return list.split(',').map((entry) => {
    const match = /^(\[[0-9A-Fa-f:.%]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(entry);
    const port = Number(match?.[2] ?? defaultPort);
    if (match?.[1] === undefined || port < 1 || port > 65_535) {
      throw malformed('one of its hosts is not a name or an address with a port from 1 to 65535');
    }
    return { name: decoded(match[1].replaceAll(/[[\]]/g, ''), 'a host'), port };
  });
}

function parseParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split('&').filter((each) => each !== '')) {
    const equals = part.indexOf('=');
    const name = decoded(equals === -1 ? part : part.slice(0, equals), 'a parameter');
    if (parameters.has(name)) throw malformed(`its parameter ${name} is repeated`);
    parameters.set(name, equals === -1 ? '' : decoded(part.slice(equals + 1), `the parameter ${name}`));
  }
  const problem = requireKnownParameters([...parameters.keys()]);
  if (problem !== undefined) throw malformed(problem);
  return parameters;
}

function oneOf<Name extends string>(parameter: string, value: string, known: readonly Name[]): Name {
  const found = known.find((name) => name === value);
  if (found === undefined) throw malformed(`its parameter ${parameter} is none of ${known.join(', ')}`);
  return found;
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed(`${part} has a percent sign that does not begin an encoded character; write %25 for it`);
  }
}

// The URL itself is not in the message: where it is malformed, its password cannot be found.
function malformed(problem: string): DatabaseOpenError {
  return new DatabaseOpenError(
    `The URL of the database cannot be read: ${problem}. Expected postgres://user:password@host:5432/database, where several hosts are separated by commas, and characters such as / ? # @ of a password are percent-encoded.`,
  );
}
