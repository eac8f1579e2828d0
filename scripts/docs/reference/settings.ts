import * as v from 'valibot';
import {
  environmentName,
  flagName,
  type SettingPath,
  settingPaths,
  settings,
} from '../../../packages/server/src/config/settings.ts';
import { read } from '../contents.ts';
import { code, plain } from '../markdown.ts';

/** The page whose text comes before the list. */
export const settingsFile = 'docs/settings.md';

/** How settings are given, and every setting by group. */
export function settingReference(): string {
  const groups = Map.groupBy(settingPaths, (path) => (path.includes('.') ? path.split('.')[0] : undefined));
  const listed = [...groups].map(([name, paths]) =>
    [`## ${name === undefined ? 'General' : name}`, ...paths.map(describeSetting)].join('\n\n'),
  );
  return `${read(settingsFile)}\n${listed.join('\n\n')}\n`;
}

function describeSetting(path: SettingPath): string {
  const { help } = settings[path];
  const facts = [
    ['flag', code(`${flagName(path)}`)],
    ['environment', code(environmentName(path))],
    ['value', valuesOf(path)],
    ['default', defaultOf(path)],
  ].filter(([, fact]) => fact !== undefined);
  return `### ${path}\n\n${plain(help)}\n\n${facts.map(([name, fact]) => `- ${name}: ${fact}`).join('\n')}`;
}

/** What the error of a wrong value says that it expected. `undefined` where every text is a value. */
function valuesOf(path: SettingPath): string | undefined {
  const { success, issues } = v.safeParse(settings[path].kind.fromText as v.GenericSchema, '\u0001');
  const [, expected] = /^expected (.*), got /.exec(success ? '' : issues[0].message) ?? [];
  return expected && plain(expected);
}

function defaultOf(path: SettingPath): string | undefined {
  const { default: value } = settings[path];
  if (value === undefined) return undefined;
  const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
  return isEmpty ? 'none' : code(String(value));
}
