import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { authenticatorFaults } from './authenticators.ts';
import { ConfigurationError, type Fault } from './fault.ts';
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
  /** Things that are probably mistakes but do not hinder a start. */
  readonly warnings: readonly string[];
}

export interface Sources {
  /** Flags as given on the command line, by setting. */
  readonly flags: Partial<Record<SettingPath, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of a YAML or JSON file; `WATCHWORD_CONFIG` when absent. */
  readonly file: string | undefined;
}

interface Found {
  readonly value: unknown;
  readonly origin: Origin;
  /** The flag, variable or file that it came from; absent for a default. */
  readonly place?: string;
}

/**
 * Makes the configuration: a flag wins over the environment, the environment over the file, the file over
 * the default. Frozen.
 *
 * @throws ConfigurationError with every fault of every source at once
 */
export async function loadConfiguration(sources: Sources): Promise<LoadedConfiguration> {
  const faults: Fault[] = [];
  const file = sources.file ?? sources.environment.WATCHWORD_CONFIG;
  const fileValues = file === undefined ? new Map<string, unknown>() : await readFileValues(file, faults);
  const inFile = { file: file ?? '', values: fileValues };
  const found = settingPaths.map((path) => [path, find(path, sources, inFile, faults)] as const);
  faults.push(...authenticatorFaults(Object.fromEntries(found)));
  if (faults.length > 0) throw new ConfigurationError(faults);

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

/** The base URL of a server that nobody told its own. */
export function defaultBaseUrl(port: number): string {
  return `http://localhost:${port}`;
}

function find(
  path: SettingPath,
  sources: Sources,
  { file, values }: { readonly file: string; readonly values: ReadonlyMap<string, unknown> },
  faults: Fault[],
): Found {
  const { kind, default: fallback }: Setting<unknown> = settings[path];
  const { isConfidential } = kind;
  const flag = sources.flags[path];
  const variable = sources.environment[environmentName(path)];
  const check = (origin: Origin, place: string, given: unknown, value: unknown): Found => {
    if (value === undefined) {
      const hint = kubernetesHint(given);
      faults.push({
        path,
        place,
        problem: `expected ${kind.expected}, got ${isConfidential === true ? `${typeof given} that is none` : show(given)}${hint}`,
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

async function readFileValues(file: string, faults: Fault[]): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  try {
    const text = await readFile(file, 'utf8');
    // Loaded only when there is a file to read: most starts have none. JSON is YAML.
    const { parse } = await import('yaml');
    const content: unknown = parse(text) ?? {};
    if (!isMapping(content)) throw new Error('expected a mapping of settings');
    flatten(content, '', values);
  } catch (error) {
    faults.push({ path: 'config', place: file, problem: `cannot be read: ${firstLine(error)}` });
  }
  for (const path of values.keys()) {
    if (!(path in settings))
      faults.push({ path, place: file, problem: `is not a setting${didYouMean(path)}` });
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

/** What is read from the environment and is no setting. */
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
    .map((name) => `${name} is set but is not a setting; see "watchword config" for their names`);
}

function show(given: unknown): string {
  return maskCredentials(JSON.stringify(given) ?? String(given)).slice(0, 100);
}

// Kubernetes sets {SERVICE}_PORT for every service of a namespace, also for one that is called watchword.
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
  return near === undefined ? '; "watchword config" lists them all' : `; did you mean ${near}?`;
}

/** Without the colon that promises the lines which are left out. */
function firstLine(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first.replace(/:$/, '');
}
