import {
  defaultOf,
  type Field,
  type FieldTable,
  type Kind,
  type SubmittedFields,
  shown,
  submittedFields,
} from '@watchword/protocol';
import { type Command, Option } from 'commander';
import { parseScopeDescriptions } from '../administration/scope-descriptions.ts';
import { members, type Options, repeated, trueOrFalse, wholeNumber } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';
import { parseResourceServerScopes } from './resource-servers/other-resource-servers.ts';

/** `create` names the fields that differ from the defaults. `update` names the fields that change; a list or object replaces the old one. */
export type Form = 'create' | 'update';

/**
 * Adds an option for each field that a request can set. {@link fieldsOf} reads the options.
 *
 * @param fallbacks default values of a new record that only the command knows, by field
 */
export function withFieldOptions(
  command: Command,
  table: FieldTable,
  form: Form,
  fallbacks: Readonly<Record<string, unknown>> = {},
): Command {
  for (const [name, field] of submittedFields(table)) {
    const option = fieldOption(name, field, form);
    if (form === 'create') {
      const fallback = fallbacks[name] ?? (field.kind.type === 'wholeNumber' ? defaultOf(field) : undefined);
      if (fallback !== undefined) option.default(fallback);
      option.makeOptionMandatory(field.isRequired === true && fallback === undefined);
    }
    command.addOption(option);
  }
  return command;
}

/** The fields that the options name. @throws UsageError */
export function fieldsOf<Table extends FieldTable>(
  table: Table,
  options: Options,
  form: Form,
): Partial<SubmittedFields<Table>> {
  const named = submittedFields(table).filter(([name]) => options[name] !== undefined);
  return Object.fromEntries(
    named.map(([name, field]) => [name, fieldValue(name, field, options[name], form)]),
  ) as Partial<SubmittedFields<Table>>;
}

function fieldOption(name: string, field: Field, form: Form): Option {
  const { kind, summary } = field;
  const [flag, placeholder] = flagsOf(name, field);
  const option = new Option(`${flag} ${placeholder}`, `${summary}${repetition(field, form)}`);
  // Commander would derive a name from the flag. With the name of the field no translation is needed.
  option.attributeName = () => name;
  if (kind.type === 'flag') option.argParser(trueOrFalse(flag));
  if (kind.type === 'wholeNumber') option.argParser(wholeNumber(flag, kind.minimum));
  if (isList(field)) option.argParser(repeated);
  return option;
}

const placeholders = {
  text: '<text>',
  // The flag alone is true.
  flag: '[true|false]',
  wholeNumber: '<number>',
  texts: '<text>',
  scopes: '<scope>',
  scopeDescriptions: '<scope=text>',
  resourceServerScopes: '<key=scopes>',
  textMap: '<name=value>',
  keySet: '<file>',
  assertionIssuers: '<file>',
} as const;

function flagsOf(name: string, { kind, option }: Field): [flag: string, placeholder: string] {
  const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const [flag = '', ...placeholder] = (option ?? `--${kebab}`).split(' ');
  return [flag, placeholder.length > 0 ? placeholder.join(' ') : placeholderOf(kind)];
}

function placeholderOf(kind: Kind): string {
  if (kind.type !== 'choice') return placeholders[kind.type];
  return `<${kind.values.filter((value) => value !== '').join('|')}>`;
}

function repetition(field: Field, form: Form): string {
  if (!isList(field)) return '';
  if (field.kind.type === 'scopeDescriptions') {
    return form === 'create' ? '; may be repeated' : '; an empty text removes it; may be repeated';
  }
  return form === 'create' ? '; may be repeated' : '; replaces all of them; may be repeated, "" for none';
}

function isList({ kind }: Field): boolean {
  return ['texts', 'scopes', 'scopeDescriptions', 'resourceServerScopes', 'textMap'].includes(kind.type);
}

function fieldValue(name: string, field: Field, given: unknown, form: Form): unknown {
  if (!isList(field)) return given;
  const list = form === 'update' ? members(given as string[]) : (given as string[]);
  if (field.kind.type === 'scopeDescriptions') return parseScopeDescriptions(list);
  if (field.kind.type === 'resourceServerScopes')
    return parseResourceServerScopes(flagsOf(name, field)[0], list);
  return field.kind.type === 'textMap' ? parsePairs(flagsOf(name, field)[0], list) : list;
}

function parsePairs(flag: string, pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new UsageError(`${flag}: expected name=value, got ${shown(pair, 80)}`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}
