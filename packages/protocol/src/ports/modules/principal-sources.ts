import type { OptionReader } from './option-reader.ts';

/** From which values of an identity provider the fields of a principal come: names of attributes, or of claims. */
export interface PrincipalSources {
  /** The first one with a value is used. */
  readonly name: readonly string[];
  readonly displayName: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** Source by the name of the attribute of the principal. */
  readonly attributes: Readonly<Record<string, string>>;
}

const ownAttributes = ['DISPLAY_NAME', 'IDENTITY_PROVIDER'];

/**
 * The option `principal` of a module.
 *
 * @param more reads what only this module has in it
 */
export function readPrincipalSources<More extends object>(
  options: OptionReader,
  defaults: Pick<PrincipalSources, 'name' | 'displayName' | 'groups'>,
  more: (principal: OptionReader | undefined) => More,
): PrincipalSources & More {
  const principal = options.object('principal');
  const read = {
    name: principal?.texts('name', defaults.name) ?? defaults.name,
    displayName: principal?.texts('displayName', defaults.displayName) ?? defaults.displayName,
    roles: principal?.texts('roles') ?? [],
    groups: principal?.texts('groups', defaults.groups) ?? defaults.groups,
    attributes: principal?.textsByName('attributes') ?? {},
    ...more(principal),
  };
  principal?.rejectUnknown();
  for (const name of ownAttributes) {
    if (Object.hasOwn(read.attributes, name))
      principal?.problem('attributes', `${name} is set by the module and cannot be configured`);
  }
  return read;
}

const maxNameLength = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not have control characters
const unfit = /[\u0000-\u001f\u007f-\u009f]|^\s|\s$/;

/** Why the values of a source are no name of a user, to be read after the name of the source; `undefined` if they are one. */
export function providedNameProblem([value = '', ...others]: readonly string[]): string | undefined {
  if (others.length > 0) return 'has several values';
  if (value.length <= maxNameLength && !unfit.test(value) && value.isWellFormed()) return undefined;
  return `is longer than ${maxNameLength} characters, or has control characters or space at an end`;
}
