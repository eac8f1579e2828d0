import type { Problem } from '../configuration-error.ts';
import { isModuleName } from './checks.ts';
import { asRecord, type Kind, nameOrPath } from './kinds.ts';

/** One of several authenticators. */
export interface AuthenticatorSetting {
  /** Name of a module that is built in, of a package, or the path of a file or folder. */
  readonly module: string;
  /** The name of this authenticator. Default: the name in the module. */
  readonly as?: string;
  /** Options of the module, passed on unchanged. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Label of the choice: a key of the locale files, or the text itself. Default: the label in the module. */
  readonly label?: string;
}

const maxLabelLength = 80;
const moduleName = nameOrPath('the name of a module, a package or a file', isModuleName);

/** The expected value of each field, and its check. */
const fields: Readonly<
  Record<keyof AuthenticatorSetting, readonly [expected: string, (value: unknown) => boolean]>
> = {
  module: [moduleName.expected, (value) => moduleName.fromFile(value) !== undefined],
  as: [
    'a name of at most 40 lower-case letters, digits and hyphens',
    (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,39}$/.test(value) && !reserved.has(value),
  ],
  options: ['an object', (value) => asRecord(value) !== undefined],
  label: [
    `a text of at most ${maxLabelLength} characters`,
    (value) => typeof value === 'string' && value.trim() !== '' && value.length <= maxLabelLength,
  ],
};

/** Reserved names: the issuers of identities of the server itself, and `password`, that of the local accounts. */
const reserved = new Set(['system', 'cli', 'client', 'password']);

/**
 * A list of authenticators: each is the name of a module, or an object. As text it is JSON, or a list of names separated by
 * commas. {@link authenticatorProblems} finds the problems within the list, each with its place.
 */
export const authenticatorList: Kind<readonly AuthenticatorSetting[]> = {
  expected: 'a list of modules, or as text JSON or names separated by commas',
  isConfidential: true,
  shown: (list) => list.map(({ options, ...rest }) => ({ ...rest, ...(options && { options: '***' }) })),
  fromText: (value) => {
    if (!value.trimStart().startsWith('[')) return listOf(value.split(',').map((name) => name.trim()));
    try {
      return listOf(JSON.parse(value));
    } catch {
      return undefined;
    }
  },
  fromFile: listOf,
  from: (directory, list) =>
    list.map((one) => {
      const read = moduleName.fromFile(one.module);
      return read === undefined ? one : { ...one, module: moduleName.from?.(directory, read) ?? read };
    }),
};

function listOf(value: unknown): readonly AuthenticatorSetting[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const list = value.map((one) => (typeof one === 'string' ? { module: one } : asRecord(one)));
  // `authenticatorProblems` checks the fields.
  return list.every((one) => one !== undefined) ? (list as unknown as AuthenticatorSetting[]) : undefined;
}

/** A value, and the flag, variable or file that it came from. A default has no place. */
type Found = { readonly value: unknown; readonly place?: string } | undefined;

/** The problems of the entries of the list, and of settings that must not be used together with it. */
export function authenticatorProblems(found: Readonly<Record<string, Found>>): Problem[] {
  const { authenticators: list, authenticator, authenticatorOptions } = found;
  if (list?.place === undefined || !Array.isArray(list.value)) return [];
  const { place } = list;
  const problem = `cannot be set together with authenticators (${place}); move it into that list as module and options`;
  return [
    ...Object.entries({ authenticator, authenticatorOptions }).flatMap(([path, other]) =>
      other?.place === undefined ? [] : [{ path, place: other.place, problem }],
    ),
    ...list.value.flatMap((one: AuthenticatorSetting, index) =>
      entryProblems(one, `authenticators[${index}]`, place),
    ),
  ];
}

function entryProblems(one: AuthenticatorSetting, path: string, place: string): Problem[] {
  const problemOf = (name: string, problem: string): Problem => ({ path: `${path}.${name}`, place, problem });
  const names = Object.keys(fields) as (keyof AuthenticatorSetting)[];
  return [
    ...Object.keys(one)
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) =>
        problemOf(name, `is not a field of an authenticator; expected one of ${names.join(', ')}`),
      ),
    ...names
      .filter((name) => name === 'module' || one[name] !== undefined)
      .filter((name) => !fields[name][1](one[name]))
      .map((name) => problemOf(name, `expected ${fields[name][0]}, got ${show(one[name])}`)),
  ];
}

/** A value for a message. An object is not shown, because it could contain secrets. */
function show(given: unknown): string {
  if (given === undefined) return 'nothing';
  return typeof given === 'string' ? JSON.stringify(given.slice(0, 100)) : `a value of type ${typeof given}`;
}
