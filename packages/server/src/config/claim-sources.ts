import { isObject } from '@watchword/protocol';
import * as v from 'valibot';
import { isShortText } from './checks.ts';
import { json, type Kind, type Schema, textSchema } from './kinds.ts';
import { expected } from './messages.ts';

/** The scopes to which an operator can assign a claim. */
const claimScopes = ['profile', 'email', 'address', 'phone', 'groups'] as const;

/** The attributes that have each claim, the preferred one first, and the scope to which it belongs. */
type ClaimSources = Readonly<
  Record<
    string,
    readonly string[] | { readonly from: readonly string[]; readonly scope: (typeof claimScopes)[number] }
  >
>;

const maxNameLength = 255;
const attribute = textSchema(
  `the name of an attribute of at most ${maxNameLength} characters`,
  isShortText(maxNameLength),
);
const attributes = v.pipe(
  v.union(
    [attribute, v.array(attribute)],
    expected(`the name of an attribute of at most ${maxNameLength} characters, or a list of such names`),
  ),
  v.transform((names) => (typeof names === 'string' ? [names] : names)),
);
const scoped = v.strictObject(
  {
    from: attributes,
    scope: v.picklist(claimScopes, expected(`one of the scopes ${claimScopes.join(', ')}`)),
  },
  expected('from, with names of attributes, and scope'),
);
/** By the form of the value, so that a problem names what is wrong in that form. */
const source = v.lazy((value) => (isObject(value) ? scoped : attributes));
const claim = textSchema(
  `the name of a claim of at most ${maxNameLength} characters without spaces`,
  (name) => name.length <= maxNameLength && /^\S+$/.test(name),
);
const message = 'an object of claims with the names of attributes';

const sources: Schema<ClaimSources> = v.pipe(
  v.custom<Record<string, unknown>>(isObject, expected(message)),
  v.record(claim, source),
);

/** For each claim the name of an attribute, or a list of names, or these as `from` beside the `scope` of the claim. As text it is JSON. */
export const claimSources: Kind<ClaimSources> = { fromFile: sources, fromText: json('an object', sources) };
