import { readFile } from 'node:fs/promises';
import { isObject, nearestName, notUtf8, utf8Text, withHidden } from '@watchword/protocol';
import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { Problem } from '../configuration-error.ts';
import { removal } from './former-settings.ts';
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
  const nothing = { place, values: new Map(), warnings: [] };
  const bytes = await readFile(place).catch((error: Error) => unreadable(error.message));
  if (bytes === undefined) return nothing;
  const text = utf8Text(bytes);
  if (text === undefined) {
    unreadable(notUtf8);
    return nothing;
  }

  const { content, errors, warnings } = parseYaml(text);
  for (const error of errors) unreadable(error.text, error.line);
  const isMapping = isObject(content);
  if (!isMapping && errors.length === 0) unreadable('expected a mapping of settings');
  const found = isMapping ? flattened(content) : [];
  const values = new Map(found.map(({ path, value }) => [path, value]));
  problems.push(...writtenTwice(found, place));
  for (const path of values.keys()) {
    if (!Object.hasOwn(settings, path)) {
      const problem =
        removal((name) => name === path) ?? `${withHidden('is not a setting', path)}; ${adviceFor(path)}`;
      problems.push({ path, place, problem });
    }
  }
  return { place, values, warnings: warnings.map(({ text, line }) => `${place}:${line}: ${text}`) };
}

/** A setting as the file has it. */
interface Written {
  readonly path: string;
  readonly value: unknown;
  /** The keys that lead to the value: `['log', 'level']` or `['log.level']`. */
  readonly keys: readonly string[];
}

/** The settings of a file. A setting of a group can be in an object with the name of the group. */
function flattened(mapping: Readonly<Record<string, unknown>>, within: readonly string[] = []): Written[] {
  return Object.entries(mapping).flatMap(([key, value]) => {
    const keys = [...within, key];
    const path = keys.join('.');
    if (isObject(value) && !Object.hasOwn(settings, path)) return flattened(value, keys);
    return value === null ? [] : [{ path, value, keys }];
  });
}

/** A problem for each setting that has several spellings in the file. The parser reports a key that is there twice. */
function writtenTwice(found: readonly Written[], place: string): Problem[] {
  const byPath = Map.groupBy(found, ({ path }) => path);
  return [...byPath].flatMap(([path, all]) => {
    if (all.length === 1) return [];
    const spellings = all.map(({ keys }) => keys.toReversed().join(' within '));
    return [{ path, place, problem: `is written as ${spellings.join(' and as ')}; remove one of them` }];
  });
}

function adviceFor(path: string): string {
  const near = nearestName(path, settingPaths);
  return near === undefined ? '"watchword config" shows all settings' : `did you mean ${near}?`;
}

/** What the parser reports, with the line of the file if it has one. */
interface YamlMessage {
  readonly text: string;
  readonly line?: number;
}

interface ParsedYaml {
  readonly content: unknown;
  readonly errors: readonly YamlMessage[];
  readonly warnings: readonly YamlMessage[];
}

/** Parses YAML, of which JSON is a subset. An empty text is an empty mapping. */
function parseYaml(text: string): ParsedYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const reported = ({ code, message, pos }: YAMLError) => ({
    text: code === 'MULTIPLE_DOCS' ? 'expected one document, got several' : withoutSource(message),
    line: lineCounter.linePos(pos[0]).line,
  });
  const errors = document.errors.map(reported);
  const warnings = document.warnings.map(reported);
  if (errors.length > 0) return { content: undefined, errors, warnings };
  try {
    const content: unknown = document.toJS() ?? {};
    if (containsItself(content)) throw new Error('An alias is part of the value that it repeats');
    return { content, errors, warnings };
  } catch (error) {
    // An alias without its anchor, or too many of them.
    return { content: undefined, errors: [{ text: withoutSource((error as Error).message) }], warnings };
  }
}

/** An alias can stand within its own anchor. */
function containsItself(content: unknown): boolean {
  try {
    JSON.stringify(content);
    return false;
  } catch {
    return true;
  }
}

/** A message without the part of the file that it quotes, because that part can be a secret. */
function withoutSource(message: string): string {
  return message.replace(/(?:(?<=\S): | [\\%]).*/s, '');
}
