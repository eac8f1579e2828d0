import { authenticatorNamePattern, isLinkDomain, reservedAuthenticatorNames } from '@watchword/protocol';
import * as v from 'valibot';
import type { Problem } from '../configuration-error.ts';
import { isShortText } from './checks.ts';
import {
  decoded,
  json,
  type Kind,
  moduleForm,
  moduleSchema,
  noOtherField,
  objectSchema,
  resolvedIfPath,
  separatedByCommas,
  textSchema,
} from './kinds.ts';
import { expected, expectedConfidential } from './messages.ts';

/** One of several authenticators. */
export interface AuthenticatorSetting {
  /** Name of a module that is built in, of a package, or the path of a file or folder. */
  readonly module: string;
  /** The name of this authenticator. Default: the name in the module. */
  readonly as?: string | undefined;
  /** Options of the module, passed on unchanged. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Label of the choice: a key of the locale files, or the text itself. Default: the label in the module. */
  readonly label?: string | undefined;
  /** Domains of e-mail addresses by which its users are linked to local accounts, if both sides have verified the address. Default: none. */
  readonly linkByVerifiedAddress?: readonly string[] | undefined;
}

const maxLabelLength = 80;
const maxDomains = 100;

const entries = {
  module: moduleSchema,
  as: v.optional(
    v.pipe(
      textSchema('a name of at most 40 lower-case letters, digits and hyphens', (value) =>
        authenticatorNamePattern.test(value),
      ),
      v.check(
        (value) => !reservedAuthenticatorNames.includes(value),
        expected(`a name other than the reserved names ${reservedAuthenticatorNames.join(', ')}`),
      ),
    ),
  ),
  options: v.optional(objectSchema('an object')),
  label: v.optional(
    textSchema(`a text of at most ${maxLabelLength} characters`, isShortText(maxLabelLength)),
  ),
  linkByVerifiedAddress: v.optional(
    v.pipe(
      v.array(
        textSchema('a domain in small letters, such as example.org', isLinkDomain),
        expected('a list of domains'),
      ),
      v.maxLength(maxDomains, expected(`at most ${maxDomains} domains`)),
    ),
  ),
};

const fields = Object.keys(entries);

const list: v.GenericSchema<unknown, readonly AuthenticatorSetting[]> = v.pipe(
  v.array(
    v.pipe(
      v.unknown(),
      v.transform((entry) => (typeof entry === 'string' ? { module: entry } : entry)),
      objectSchema(`the name of a module, or an object with ${fields.join(', ')}`),
      // The message of the object is that of a missing module.
      v.intersect([noOtherField('an authenticator', fields), v.object(entries, expected(moduleForm))]),
    ),
    expectedConfidential('a list of modules'),
  ),
  v.nonEmpty(expectedConfidential('a list of at least one module')),
);

const jsonList = json('a list of modules', list);
const nameList = decoded(separatedByCommas, list);

/** A list of authenticators: each is the name of a module, or an object. As text it is JSON, or names separated by commas. */
export const authenticatorList: Kind<readonly AuthenticatorSetting[]> = {
  fromFile: list,
  fromText: v.lazy((text) => (String(text).trimStart().startsWith('[') ? jsonList : nameList)),
  shown: (entries) =>
    entries.map(({ options, ...rest }) => ({ ...rest, ...(options && { options: '***' }) })),
  resolveFrom: (directory, entries) =>
    entries.map((entry) => ({ ...entry, module: resolvedIfPath(directory, entry.module) })),
};

/** A value, and the flag, variable or file that it came from. A default has no place. */
type Found = { readonly place?: string | undefined } | undefined;

/** The problems of settings that must not be used together with the list. */
export function conflictsWithList(found: Readonly<Record<string, Found>>): Problem[] {
  const { authenticators, authenticator, authenticatorOptions } = found;
  if (authenticators?.place === undefined) return [];
  const problem = `cannot be set together with authenticators (${authenticators.place}); move it into that list as module and options`;
  return Object.entries({ authenticator, authenticatorOptions }).flatMap(([path, other]) =>
    other?.place === undefined ? [] : [{ path, place: other.place, problem }],
  );
}
