import { dirname, resolve } from 'node:path';
import { named, nearestName, type Profile, type ProfiledSettings, profileChecks } from '@watchword/protocol';
import { ConfigurationError, type Problem } from '../configuration-error.ts';
import { isLoopbackOnly } from '../loopback-only.ts';
import { conflictsWithList } from './authenticators.ts';
import type { SettingSource, SettingSources } from './effective-settings.ts';
import { findDatabase, passwordsInFlags } from './find-database.ts';
import { deprecations, removal } from './former-settings.ts';
import { path } from './kinds.ts';
import type { SettingsFile } from './read-file.ts';
import { readSetting } from './read-setting.ts';
import {
  type Configuration,
  environmentName,
  flagName,
  openTelemetryVariables,
  type Setting,
  type SettingPath,
  settingPaths,
  settings,
} from './settings.ts';

const { fromText: configFile } = path('the path of a file');

export type Origin = SettingSource['origin'];

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly origins: Readonly<Record<SettingPath, Origin>>;
  /** Where the values came from that are no defaults. */
  readonly sources: SettingSources;
  /** Probable mistakes that do not prevent a start. */
  readonly warnings: readonly string[];
}

export interface Sources {
  /** Flags of the command line, by setting. */
  readonly flags: Partial<Record<SettingPath, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of a YAML or JSON file; `WATCHWORD_CONFIG` when absent. */
  readonly file: string | undefined;
}

interface Found {
  readonly value: unknown;
  readonly origin: Origin;
  /** The flag, variable or file that the value came from; absent for a default. */
  readonly place?: string;
}

/** What sources say, whether or not a server could start with it. */
export interface ReadConfiguration extends LoadedConfiguration {
  /** Why a server does not start. A setting with a problem has its default here. */
  readonly problems: readonly Problem[];
}

/**
 * Makes the configuration, frozen. A flag takes precedence over the environment, the environment over the file, the file
 * over the variables of OpenTelemetry, and those over the default.
 *
 * @throws ConfigurationError with all problems of all sources
 */
export async function loadConfiguration(sources: Sources): Promise<LoadedConfiguration> {
  const { problems, ...loaded } = await readConfiguration(sources);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return loaded;
}

/** The same without an error, for a caller that reports the problems itself. */
export async function readConfiguration(sources: Sources): Promise<ReadConfiguration> {
  const problems: Problem[] = [];
  // A variable that is empty is not set.
  const place = sources.file ?? (sources.environment.WATCHWORD_CONFIG || undefined);
  const named = { path: 'config', place: sources.file === undefined ? 'WATCHWORD_CONFIG' : '--config' };
  const checked =
    place === undefined ? undefined : readSetting(configFile, { ...named, value: place }, problems);
  const file = checked === undefined ? undefined : await readFile(checked, problems);
  const given = settingPaths.map((path) => [path, find(path, sources, file, problems)] as const);
  const byPath = Object.fromEntries(given);
  problems.push(...conflictsWithList(byPath), ...withoutContact(byPath), ...watchedInPublic(byPath));
  const found = Object.entries({ ...byPath, ...(await findDatabase(byPath, problems)) });

  const values: [string, unknown][] = found.map(([path, { value }]) => [
    path,
    value ?? settings[path as SettingPath].default,
  ]);
  const configuration = Object.fromEntries(values);
  const baseUrl =
    (configuration.baseUrl as string | undefined) ?? defaultBaseUrl(configuration.port as number);
  problems.push(...againstProfile({ ...configuration, baseUrl } as Configuration, byPath));
  const origins = Object.fromEntries(found.map(([path, { origin }]) => [path, origin]));
  const sourced = found
    .filter(([, { origin }]) => origin !== 'default')
    .map(([path, { origin, place }]) => [path, { origin, place }]);
  return {
    problems,
    configuration: Object.freeze({
      ...configuration,
      baseUrl,
    }) as Configuration,
    origins: origins as Record<SettingPath, Origin>,
    sources: Object.fromEntries(sourced),
    warnings: [
      ...(file?.warnings ?? []),
      ...unknownVariables(sources.environment),
      ...passwordsInFlags(sources.flags),
      ...deprecations(byPath),
      ...plainHttp(baseUrl),
    ],
  };
}

function plainHttp(baseUrl: string): string[] {
  if (!baseUrl.startsWith('http://') || isLoopbackOnly('localhost', baseUrl)) return [];
  return [
    `the base URL ${baseUrl} is plain http: the network can read tokens and secrets; put a TLS proxy in front and set an https base URL`,
  ];
}

/** RFC 9116 §2.5.3: a security.txt has a contact. */
function withoutContact(found: Readonly<Record<string, Found>>): Problem[] {
  const contact = found['securityTxt.contact']?.value;
  if (!Array.isArray(contact) || contact.length > 0) return [];
  const problem =
    'expected securityTxt.contact beside it, because a security.txt without a contact is not valid';
  return ['securityTxt.policy', 'securityTxt.encryption'].flatMap((path) => {
    const { place, value } = found[path] ?? {};
    return place === undefined || value === undefined ? [] : [{ path, place, problem }];
  });
}

/** Whoever reaches the server would see pages that are not finished, and what is wrong with the files. */
function watchedInPublic(found: Readonly<Record<string, Found>>): Problem[] {
  const { place, value } = found['pages.watch'] ?? {};
  if (value !== true || place === undefined) return [];
  const [host, baseUrl] = ['host', 'baseUrl'].map((path) => found[path]?.value);
  const url = String(baseUrl ?? defaultBaseUrl(0));
  if (!URL.canParse(url) || isLoopbackOnly(String(host), url)) return [];
  const problem = `expected a server that no other machine reaches, got ${host}${baseUrl === undefined ? '' : `, ${url}`}; leave it out, or set host to localhost`;
  return [{ path: 'pages.watch', place, problem }];
}

/** What the profile does not permit, at the place of the setting, or of the profile if the setting has its default. */
function againstProfile(
  configuration: ProfiledSettings & { readonly profile: Profile },
  found: Readonly<Record<string, Found>>,
): Problem[] {
  const checks = profileChecks(configuration.profile);
  return (checks?.ofSettings(configuration) ?? []).map(({ field, problem, advice, section, rule }) => ({
    path: field,
    place: found[field]?.place ?? found.profile?.place ?? 'profile',
    problem: `${problem}, because the profile is ${configuration.profile} (${rule}: ${section}). ${advice}`,
  }));
}

/** Loads the parser of YAML, which a server without a file does not need. */
async function readFile(place: string, problems: Problem[]): Promise<SettingsFile> {
  const { readSettingsFile } = await import('./read-file.ts');
  return readSettingsFile(place, problems);
}

/** The base URL of a server if the configuration has none. */
export function defaultBaseUrl(port: number): string {
  return `http://localhost:${port}`;
}

function find(
  path: SettingPath,
  sources: Sources,
  file: SettingsFile | undefined,
  problems: Problem[],
): Found {
  const { kind, default: fallback }: Setting<unknown> = settings[path];
  const found = given(path, sources, file);
  if (found === undefined) return { value: fallback, origin: 'default' };
  const { origin, place } = found;
  const schema = origin === 'file' ? kind.fromFile : kind.fromText;
  const value = readSetting(schema, { path, ...found }, problems);
  if (origin !== 'file' || value === undefined) return { ...found, value };
  return { ...found, value: kind.resolveFrom?.(dirname(resolve(place)), value) ?? value };
}

/** The value of the source that takes precedence, as it was given. */
function given(path: SettingPath, { flags, environment }: Sources, file: SettingsFile | undefined) {
  const flag = flags[path];
  if (flag !== undefined) return { value: flag, origin: 'flag', place: flagName(path) } as const;
  const variable = environment[environmentName(path)];
  if (variable) return { value: variable, origin: 'environment', place: environmentName(path) } as const;
  if (file?.values.has(path)) {
    return { value: file.values.get(path), origin: 'file', place: file.place } as const;
  }
  const general = openTelemetryVariables[path];
  const value = general && environment[general];
  return value ? ({ value, origin: 'environment', place: general } as const) : undefined;
}

/** Variables of the environment that are used, but are not settings. */
const otherVariables = [
  'WATCHWORD_CONFIG',
  'WATCHWORD_ADMIN_CLIENT_ID',
  'WATCHWORD_ADMIN_CLIENT_SECRET',
  'WATCHWORD_ADMIN_CLIENT_SECRET_FILE',
  'WATCHWORD_ADMIN_TOKEN',
  'WATCHWORD_DOCTOR_CLIENT_SECRET',
  'WATCHWORD_DOCTOR_PASSWORD',
  'WATCHWORD_DOCTOR_RESOURCE_SERVER_SECRET',
  'WATCHWORD_LOGIN_PROFILE',
];

function unknownVariables(environment: Sources['environment']): string[] {
  const own = Object.keys(environment).filter((name) => name.startsWith('WATCHWORD_') && environment[name]);
  if (own.length === 0) return [];
  const known = new Set([...otherVariables, ...settingPaths.map(environmentName)]);
  return own
    .filter((name) => !known.has(name))
    .map((name) => {
      const removed = removal((path) => environmentName(path) === name);
      if (removed !== undefined) return `${name} is set but ${removed}`;
      const near = nearestName(name.slice('WATCHWORD_'.length), settingPaths);
      const advice = near
        ? `did you mean ${environmentName(near)}?`
        : '"watchword config" shows the names of all settings';
      return `${named(name)} is set but is not a setting; ${advice}`;
    });
}
