import {
  addressRange,
  type Kind,
  listOf,
  oneOf,
  optional,
  pictureHost,
  text,
  truth,
  wholeNumber,
} from './kinds.ts';

/** One setting. Its path is its name in a file; flag and environment variable are made from it. */
export interface Setting<Value> {
  readonly kind: Kind<Value>;
  /** `undefined`: made from other settings, as `help` says. */
  readonly default: Value | undefined;
  readonly help: string;
}

function setting<Value>(kind: Kind<Value>, fallback: Value | undefined, help: string): Setting<Value> {
  return { kind, default: fallback, help };
}

/** Every setting of the server: the one place where a setting is defined. */
export const settings = {
  host: setting(
    text('a host name or an IP address', (value) => /^[A-Za-z0-9.:_-]{1,255}$/.test(value)),
    'localhost',
    'Host name or address to listen on.',
  ),
  port: setting(wholeNumber(0, 65_535), 8080, 'TCP port to listen on; 0 takes any free one.'),
  baseUrl: setting(
    text('an http(s) URL without query, fragment, user or slash at its end', isBaseUrl),
    undefined,
    'URL under which clients reach the server, with a path prefix if it has one. Default: http://localhost:{port}.',
  ),
  database: setting(
    text('the path of a file', isFilePath),
    './data/watchword.db',
    'File of the embedded SQLite database.',
  ),
  trustedProxies: setting(
    listOf(addressRange, 'IP addresses or ranges such as 10.0.0.0/8'),
    [],
    'Proxies whose X-Forwarded-For is believed. From anyone else it is ignored.',
  ),
  'adminService.jsonTypeInfoIncluded': setting(
    truth,
    false,
    'Wrap objects and lists of token info as [type, value], for JVM resource servers.',
  ),
  'scope.commaSeparated': setting(
    truth,
    false,
    'Read scope=read,write as two scopes, for clients that do not separate them by spaces.',
  ),
  'failedAttempts.perIdentifier': setting(
    wholeNumber(0, 1_000_000),
    60,
    'Failed authentications a minute that one address may make for one client or resource server; 0 = no limit.',
  ),
  'failedAttempts.perAddress': setting(
    wholeNumber(0, 1_000_000),
    600,
    'Failed authentications a minute that one address may make in all; 0 = no limit.',
  ),
  'http.requestTimeout': setting(
    wholeNumber(1, 3600, 'seconds'),
    15,
    'Seconds within which a request must have arrived whole.',
  ),
  'shutdown.deadline': setting(
    wholeNumber(1, 3600, 'seconds'),
    10,
    'Seconds that a shutdown may take to finish what is under way.',
  ),
  'reaper.interval': setting(
    wholeNumber(1, 86_400, 'seconds'),
    60,
    'Seconds between two removals of dead rows.',
  ),
  'reaper.retention': setting(
    wholeNumber(0, 315_360_000, 'seconds'),
    86_400,
    'Seconds that an expired token is kept, so that its resource server is told "expired" and not "unknown".',
  ),
  'pages.productName': setting(
    text('1 to 60 characters', (value) => value.trim() !== '' && value.length <= 60),
    'Watchword',
    'What people see as the name of this server.',
  ),
  'pages.logo': setting(
    optional(text('the path of an .svg or .png file', isPath)),
    undefined,
    'File of the picture beside the product name, .svg or .png.',
  ),
  'pages.stylesheet': setting(
    optional(text('the path of a .css file', isPath)),
    undefined,
    'File of a stylesheet that follows the built-in one, to set its variables.',
  ),
  'pages.templates': setting(
    optional(text('the path of a directory', isPath)),
    undefined,
    'Directory of templates that replace built-in ones of the same name.',
  ),
  'pages.locales': setting(
    optional(text('the path of a directory', isPath)),
    undefined,
    'Directory of texts, {language}.json, that replace built-in ones or add languages.',
  ),
  'pages.pictureHosts': setting(
    listOf(pictureHost, 'host names such as cdn.example.com'),
    [],
    'Hosts whose https pictures of clients are shown; of other clients pages show a letter and ask nobody.',
  ),
  'log.level': setting(
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'info',
    'Least severe log lines to write: fatal, error, warn, info, debug or silent; info has one line for each request.',
  ),
} as const satisfies Record<string, Setting<never> | Setting<unknown>>;

export type SettingPath = keyof typeof settings;

export const settingPaths = Object.keys(settings) as SettingPath[];

/** The effective value of every setting. */
export type Configuration = {
  readonly [Path in SettingPath]: (typeof settings)[Path] extends Setting<infer Value> ? Value : never;
};

/** `adminService.jsonTypeInfoIncluded` → `--admin-service-json-type-info-included` */
export function flagName(path: SettingPath): string {
  return `--${words(path).join('-').toLowerCase()}`;
}

/** `adminService.jsonTypeInfoIncluded` → `WATCHWORD_ADMIN_SERVICE_JSON_TYPE_INFO_INCLUDED` */
export function environmentName(path: SettingPath): string {
  return `WATCHWORD_${words(path).join('_').toUpperCase()}`;
}

function words(path: string): string[] {
  return path.replaceAll(/([A-Z])/g, '.$1').split('.');
}

/** SQLite would read `:memory:` and `file:` in a way of its own, and keep nothing of the former. */
function isFilePath(value: string): boolean {
  return /^(?!:|file:)[^\0]*[^/\0]$/i.test(value) && !value.includes('://');
}

function isPath(value: string): boolean {
  return value !== '' && !value.includes('\0');
}

function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  // Compared as written, because clients compare the issuer so (RFC 8414 §3.3).
  const canonical = url.pathname === '/' ? url.origin : `${url.origin}${url.pathname}`;
  return /^https?:$/.test(url.protocol) && isBare && !value.endsWith('/') && value === canonical;
}
