import { isModuleName } from './checks.ts';
import type { Fault } from './fault.ts';
import { asRecord, type Kind, nameOrPath } from './kinds.ts';

/** One of several authenticators. */
export interface AuthenticatorSetting {
  /** Name of a module that is built in, of a package, or the path of a file or folder. */
  readonly module: string;
  /** The name of this instance. Default: the name that the module gives itself. */
  readonly as?: string;
  /** Handed to the module as they stand. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** What users read when they choose: a key of the locale files, or the text itself. Default: what the module says. */
  readonly label?: string;
}

const maxLabelLength = 80;
const moduleName = nameOrPath('the name of a module, a package or a file', isModuleName);

/** What each field has to be. */
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

/** Issuers of identities that no authenticator may be taken for: `password` is that of the local accounts. */
const reserved = new Set(['system', 'cli', 'client', 'password']);

/**
 * A list of authenticators: each is the name of a module, or an object. As text it is a list of names with commas between
 * them, or JSON. What is wrong within the list is found by {@link authenticatorFaults}, which says where.
 */
export const authenticatorList: Kind<readonly AuthenticatorSetting[]> = {
  expected: 'a list of modules, as text in JSON or with commas between their names',
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
  // Their fields are checked by `authenticatorFaults`.
  return list.every((one) => one !== undefined) ? (list as unknown as AuthenticatorSetting[]) : undefined;
}

/** A value as it was found, and the flag, variable or file that it came from; without one it is a default. */
type Found = { readonly value: unknown; readonly place?: string } | undefined;

/** What is wrong with the settings of authenticators: with the entries of the list, and of several settings that exclude one another. */
export function authenticatorFaults(found: Readonly<Record<string, Found>>): Fault[] {
  const { authenticators: list, authenticator, authenticatorOptions } = found;
  if (list?.place === undefined || !Array.isArray(list.value)) return [];
  const { place } = list;
  const problem = `is set as well as authenticators (${place}); put it into that list as module and options, and remove it here`;
  return [
    ...Object.entries({ authenticator, authenticatorOptions }).flatMap(([path, other]) =>
      other?.place === undefined ? [] : [{ path, place: other.place, problem }],
    ),
    ...list.value.flatMap((one: AuthenticatorSetting, index) =>
      entryFaults(one, `authenticators[${index}]`, place),
    ),
  ];
}

function entryFaults(one: AuthenticatorSetting, path: string, place: string): Fault[] {
  const fault = (name: string, problem: string): Fault => ({ path: `${path}.${name}`, place, problem });
  const names = Object.keys(fields) as (keyof AuthenticatorSetting)[];
  return [
    ...Object.keys(one)
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) => fault(name, `is no field of an authenticator; expected one of ${names.join(', ')}`)),
    ...names
      .filter((name) => name === 'module' || one[name] !== undefined)
      .filter((name) => !fields[name][1](one[name]))
      .map((name) => fault(name, `expected ${fields[name][0]}, got ${show(one[name])}`)),
  ];
}

/** Never an object: it could hold secrets. */
function show(given: unknown): string {
  if (given === undefined) return 'nothing';
  return typeof given === 'string' ? JSON.stringify(given.slice(0, 100)) : `a value of type ${typeof given}`;
}
