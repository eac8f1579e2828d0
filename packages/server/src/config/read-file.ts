import { readFile } from 'node:fs/promises';
import type { Problem } from '../configuration-error.ts';
import { nearestName } from '../nearest-name.ts';
import { isObject } from '../schemas.ts';
import { removal } from './former-settings.ts';
import { parseYaml } from './parse-yaml.ts';
import { settingPaths, settings } from './settings.ts';

export interface SettingsFile {
  /** The path of the file. */
  readonly place: string;
  /** The values by setting, not yet checked. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Probable mistakes. */
  readonly warnings: readonly string[];
}

/** Reads a YAML or JSON file with settings. Its problems are added to `problems`. */
export async function readSettingsFile(place: string, problems: Problem[]): Promise<SettingsFile> {
  const unreadable = (reason: string, line?: number) => {
    const at = line === undefined ? place : `${place}:${line}`;
    problems.push({ path: 'config', place: at, problem: `cannot be read: ${reason}` });
  };
  const text = await readFile(place, 'utf8').catch((error: Error) => unreadable(error.message));
  if (text === undefined) return { place, values: new Map(), warnings: [] };

  const { content, errors, warnings } = parseYaml(text);
  for (const error of errors) unreadable(error.text, error.line);
  const isMapping = isObject(content);
  if (!isMapping && errors.length === 0) unreadable('expected a mapping of settings');
  const values = new Map(isMapping ? flattened(content) : []);
  for (const path of values.keys()) {
    if (!Object.hasOwn(settings, path)) {
      const problem = removal((name) => name === path) ?? `is not a setting; ${adviceFor(path)}`;
      problems.push({ path, place, problem });
    }
  }
  return { place, values, warnings: warnings.map(({ text, line }) => `${place}:${line}: ${text}`) };
}

/** Values by setting. A setting of a group can be in an object with the name of the group. */
function flattened(
  mapping: Readonly<Record<string, unknown>>,
  prefix = '',
): [path: string, value: unknown][] {
  return Object.entries(mapping).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    if (isObject(value) && !Object.hasOwn(settings, path)) return flattened(value, `${path}.`);
    return value === null ? [] : [[path, value]];
  });
}

function adviceFor(path: string): string {
  const near = nearestName(path, settingPaths);
  return near === undefined ? '"watchword config" shows all settings' : `did you mean ${near}?`;
}
