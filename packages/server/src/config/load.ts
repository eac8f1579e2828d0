import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigurationError, type Problem } from '../configuration-error.ts';
import { authenticatorProblems } from './authenticators.ts';
import { maskCredentials } from './mask.ts';
import {
  type Configuration,
  environmentName,
  flagName,
  type Setting,
  type SettingPath,
  settingPaths,
  settings,
} from './settings.ts';

export type Origin = 'flag' | 'environment' | 'file' | 'default';

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly origins: Readonly<Record<SettingPath, Origin>>;
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

/**
 * Makes the configuration, frozen. A flag takes precedence over the environment, the environment over the file, the file
 * over the default.
 *
 * @throws ConfigurationError with all problems of all sources
 */
export async function loadConfiguration(sources: Sources): Promise<LoadedConfiguration> {
  const problems: Problem[] = [];
  const file = sources.file ?? sources.environment.WATCHWORD_CONFIG;
  const fileValues = file === undefined ? new Map<string, unknown>() : await readFileValues(file, problems);
  const inFile = { file: file ?? '', values: fileValues };
  const found = settingPaths.map((path) => [path, find(path, sources, inFile, problems)] as const);
  problems.push(...authenticatorProblems(Object.fromEntries(found)));
  if (problems.length > 0) throw new ConfigurationError(problems);

  const configuration = Object.fromEntries(found.map(([path, { value }]) => [path, value]));
  const origins = Object.fromEntries(found.map(([path, { origin }]) => [path, origin]));
  return {
    configuration: Object.freeze({
      ...configuration,
      baseUrl: configuration.baseUrl ?? defaultBaseUrl(configuration.port as number),
    }) as Configuration,
    origins: origins as Record<SettingPath, Origin>,
    warnings: unknownVariables(sources.environment),
  };
}

/** The base URL of a server if the configuration has none. */
export function defaultBaseUrl(port: number): string {
  return `http://localhost:${port}`;
}

function find(
  path: SettingPath,
  sources: Sources,
  { file, values }: { readonly file: string; readonly values: ReadonlyMap<string, unknown> },
  problems: Problem[],
): Found {
  const { kind, default: fallback }: Setting<unknown> = settings[path];
  const { isConfidential } = kind;
  const flag = sources.flags[path];
  const variable = sources.environment[environmentName(path)];
  const check = (origin: Origin, place: string, given: unknown, value: unknown): Found => {
    if (value === undefined) {
      const hint = kubernetesHint(given);
      problems.push({
        path,
        place,
        problem: `expected ${kind.expected}, got ${isConfidential === true ? `a ${typeof given} that is not valid` : show(given)}${hint}`,
      });
    }
    return { value, origin, place };
  };
  if (flag !== undefined) return check('flag', flagName(path), flag, kind.fromText(flag));
  if (variable !== undefined && variable !== '') {
    return check('environment', environmentName(path), variable, kind.fromText(variable));
  }
  if (values.has(path)) {
    const given = values.get(path);
    const read = kind.fromFile(given);
    const value = read === undefined ? undefined : (kind.from?.(dirname(resolve(file)), read) ?? read);
    return check('file', file, given, value);
  }
  return { value: fallback, origin: 'default' };
}

async function readFileValues(file: string, problems: Problem[]): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  try {
    const text = await readFile(file, 'utf8');
    // Loaded only if there is a file. JSON is a subset of YAML.
    const { parse } = await import('yaml');
    const content: unknown = parse(text) ?? {};
    if (!isMapping(content)) throw new Error('expected a mapping of settings');
    flatten(content, '', values);
  } catch (error) {
    problems.push({ path: 'config', place: file, problem: `cannot be read: ${firstLine(error)}` });
  }
  for (const path of values.keys()) {
    if (!(path in settings))
      problems.push({ path, place: file, problem: `is not a setting${didYouMean(path)}` });
  }
  return values;
}

function flatten(mapping: Record<string, unknown>, prefix: string, into: Map<string, unknown>): void {
  for (const [key, value] of Object.entries(mapping)) {
    const path = `${prefix}${key}`;
    if (isMapping(value) && !(path in settings)) flatten(value, `${path}.`, into);
    else if (value !== null) into.set(path, value);
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Variables of the environment that are used, but are not settings. */
const otherVariables = [
  'WATCHWORD_CONFIG',
  'WATCHWORD_ADMIN_CLIENT_ID',
  'WATCHWORD_ADMIN_CLIENT_SECRET',
  'WATCHWORD_ADMIN_TOKEN',
];

function unknownVariables(environment: Sources['environment']): string[] {
  const known = new Set([...otherVariables, ...settingPaths.map(environmentName)]);
  return Object.keys(environment)
    .filter((name) => name.startsWith('WATCHWORD_') && !known.has(name))
    .map((name) => `${name} is set but is not a setting; "watchword config" shows the names of all settings`);
}

function show(given: unknown): string {
  return maskCredentials(JSON.stringify(given) ?? String(given)).slice(0, 100);
}

// Kubernetes sets {SERVICE}_PORT for every service of a namespace, and so for a service with the name watchword.
function kubernetesHint(given: unknown): string {
  return typeof given === 'string' && given.startsWith('tcp://')
    ? ' (set by Kubernetes for a service of this name: give the pod enableServiceLinks: false)'
    : '';
}

function didYouMean(path: string): string {
  const wanted = path.toLowerCase().replaceAll(/[^a-z]/g, '');
  const near = settingPaths.find((known) => {
    const name = known.toLowerCase().replaceAll('.', '');
    return name === wanted || name.endsWith(wanted) || wanted.endsWith(name);
  });
  return near === undefined ? '; "watchword config" shows all settings' : `; did you mean ${near}?`;
}

/** The first line of a message, without a colon at its end. */
function firstLine(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first.replace(/:$/, '');
}
