import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearestName, notUtf8, protocolErrors, shown, utf8Text } from '@watchword/protocol';
import type { Problem } from '../../configuration-error.ts';

/** Texts by language tag, each by its key. */
export type Locales = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The language for users whose languages are not available, and for keys that another language lacks. */
export const fallbackLanguage = 'en';

const builtInDirectory = new URL('../../../locales/', import.meta.url);
const consoleLanguages = [fallbackLanguage, 'nl', 'de'];
const pageLanguages = [...consoleLanguages, 'fr', 'es', 'it', 'pt', 'pl'];
/** The texts of the administration GUI are in a folder of their own, built in and in the operator's directory. */
const consoleFolder = 'console';

/** The texts of the pages for users. All servers of a process have the same. */
export function builtInLocales(): Locales {
  return new Map(pageLanguages.map((language) => [language, pageTexts(language)]));
}

/** The texts of the administration GUI. */
export function builtInConsoleLocales(): Locales {
  return new Map(consoleLanguages.map((language) => [language, readBuiltIn(`${consoleFolder}/${language}`)]));
}

/** Every server needs these from its start to its end, those of the GUI only while it is opened. */
const keptPageTexts = new Map<string, ReadonlyMap<string, string>>();

function pageTexts(language: string): ReadonlyMap<string, string> {
  const texts = keptPageTexts.get(language) ?? readBuiltIn(language);
  keptPageTexts.set(language, texts);
  return texts;
}

function readBuiltIn(name: string): ReadonlyMap<string, string> {
  const file = new URL(`${name}.json`, builtInDirectory);
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>));
}

/** The English text of a key of the built-in texts, for operators. Any other text is returned unchanged. */
export function inEnglish(keyOrText: string): string {
  return pageTexts(fallbackLanguage).get(keyOrText) ?? keyOrText;
}

/**
 * Reads the `{language}.json` files for the pages of users. Their problems are added to `problems`.
 *
 * @param others texts by key that can be replaced in addition to the built-in ones
 */
export function readLocales(
  directory: string,
  problems: Problem[],
  others: ReadonlyMap<string, string> = new Map(),
): Locales {
  const known = new Map([...pageTexts(fallbackLanguage), ...others]);
  return readDirectory(directory, problems, (key) => keyProblem(key, known));
}

/** Reads the `console/{language}.json` files for the administration GUI, if there are any. */
export function readConsoleLocales(directory: string, problems: Problem[]): Locales {
  const folder = join(directory, consoleFolder);
  if (!existsSync(folder)) return new Map();
  const known = readBuiltIn(`${consoleFolder}/${fallbackLanguage}`);
  return readDirectory(folder, problems, (key) => consoleKeyProblem(key, known));
}

function readDirectory(
  directory: string,
  problems: Problem[],
  problemOf: (key: string) => string | undefined,
): Locales {
  const locales = new Map<string, ReadonlyMap<string, string>>();
  const report = (place: string, problem: string) => problems.push({ path: 'pages.locales', place, problem });
  for (const file of filesOf(directory, report)) {
    const path = join(directory, file);
    const language = languageOf(file);
    if (language === undefined) {
      report(path, 'expected a language tag as the file name, such as fr.json or pt-BR.json');
      continue;
    }
    try {
      const texts = textsOf(parsed(readFileSync(path)));
      locales.set(language, texts);
      for (const key of texts.keys()) {
        const problem = problemOf(key);
        if (problem !== undefined) report(path, problem);
      }
    } catch (error) {
      report(path, `cannot be read: ${(error as Error).message.split('\n', 1)[0]}`);
    }
  }
  return locales;
}

/** The texts of modules, by language and key. */
export type ModuleTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The texts of all, by language and key. Two modules do not use the same key for different texts. */
export function mergeTexts(all: readonly ModuleTexts[]): ModuleTexts {
  const languages = new Set(all.flatMap((texts) => Object.keys(texts)));
  return Object.fromEntries(
    [...languages].map((language) => [language, Object.assign({}, ...all.map((texts) => texts[language]))]),
  );
}

export function moduleLocales(texts: ModuleTexts): Locales {
  return new Map(Object.entries(texts).map(([language, ofIt]) => [language, new Map(Object.entries(ofIt))]));
}

/** The texts of both, by key. The texts of `additions` take precedence. */
export function mergeLocales(base: Locales, additions: Locales): Locales {
  const merged = new Map(base);
  for (const [language, texts] of additions) {
    merged.set(language, new Map([...(base.get(language) ?? []), ...texts]));
  }
  return merged;
}

/** A language without some texts, which are shown in English. */
export interface LackingLanguage {
  readonly language: string;
  /** The texts of the pages for users, or those of the administration GUI. */
  readonly of: 'pages' | 'console';
  /** Number of the texts that it has. */
  readonly has: number;
  /** Number of the texts that there are. */
  readonly all: number;
}

/** The languages of the operator that lack texts of the built-in English ones. */
export function lackingOf(added: Locales, of: LackingLanguage['of']): readonly LackingLanguage[] {
  if (added.size === 0) return [];
  const locales = mergeLocales(of === 'pages' ? builtInLocales() : builtInConsoleLocales(), added);
  return [...added.keys()].flatMap((language) => {
    const all = builtInEnglish(of).size;
    const has = all - missingTexts(locales, language, of).size;
    return has === all ? [] : [{ language, of, has, all }];
  });
}

/** The English texts by their keys that a language lacks. */
export function missingTexts(
  locales: Locales,
  language: string,
  of: LackingLanguage['of'],
): ReadonlyMap<string, string> {
  const own = locales.get(language);
  return new Map([...builtInEnglish(of)].filter(([key]) => own?.has(key) !== true));
}

/**
 * All texts of the pages, or of the administration GUI, with those of the operator, whatever their keys are.
 *
 * @param directory of the operator
 */
export function allLocales(
  of: LackingLanguage['of'],
  directory: string | undefined,
  problems: Problem[],
): Locales {
  const builtIn = of === 'pages' ? builtInLocales() : builtInConsoleLocales();
  const folder = of === 'pages' ? directory : directory && join(directory, consoleFolder);
  if (folder === undefined || (of === 'console' && !existsSync(folder))) return builtIn;
  return mergeLocales(
    builtIn,
    readDirectory(folder, problems, () => undefined),
  );
}

function builtInEnglish(of: LackingLanguage['of']): ReadonlyMap<string, string> {
  return of === 'pages' ? pageTexts(fallbackLanguage) : readBuiltIn(`${consoleFolder}/${fallbackLanguage}`);
}

function filesOf(directory: string, report: (place: string, problem: string) => void): string[] {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch (error) {
    report(directory, `expected a directory with files such as fr.json: ${(error as Error).message}`);
    return [];
  }
}

function languageOf(file: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(file.slice(0, -'.json'.length))[0];
  } catch {
    return undefined;
  }
}

function parsed(bytes: Uint8Array): unknown {
  const text = utf8Text(bytes);
  if (text === undefined) throw new Error(notUtf8);
  return JSON.parse(text);
}

function textsOf(content: unknown): Map<string, string> {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error('expected an object of texts by their keys');
  }
  const entries = Object.entries(content);
  const [key] = entries.find(([, text]) => typeof text !== 'string') ?? [];
  if (key !== undefined) throw new Error(`expected a text for ${key}`);
  return new Map(entries);
}

/** The problem of a key of a locale file that no page uses; `undefined` for a key that a page can use. */
function keyProblem(key: string, known: ReadonlyMap<string, string>): string | undefined {
  if (known.has(key) || ownKeys.test(key) || isOfAnError(key)) return undefined;
  return `expected a key of the built-in texts, scope.{name}, or own.{name} for your modules and templates, ${got(key, known)}`;
}

/** The same for the administration GUI, which has only built-in texts. */
function consoleKeyProblem(key: string, known: ReadonlyMap<string, string>): string | undefined {
  if (known.has(key)) return undefined;
  return `expected a key of the built-in texts of the administration GUI, ${got(key, known)}`;
}

function got(key: string, known: ReadonlyMap<string, string>): string {
  const near = nearestName(key, [...known.keys()]);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `got ${shown(key, 100)}${hint}`;
}

/** Keys of scopes, and keys that operators define. */
const ownKeys = /^(?:scope|own)\../s;

/** Every error can have its own texts. Without them a page uses the texts of its family. */
function isOfAnError(key: string): boolean {
  const [, kind = ''] = /^error\.(\w+)\.(?:title|advice|wait)$/.exec(key) ?? [];
  return Object.hasOwn(protocolErrors, kind);
}
