import * as v from 'valibot';
import { isObject } from '../schemas.ts';
import { isShortText } from './checks.ts';
import { json, type Kind, type Schema, textSchema } from './kinds.ts';
import { expected } from './messages.ts';

/** The attributes that have each claim, the preferred one first. */
type ClaimSources = Readonly<Record<string, readonly string[]>>;

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
const claim = textSchema(
  `the name of a claim of at most ${maxNameLength} characters without spaces`,
  (name) => name.length <= maxNameLength && /^\S+$/.test(name),
);
const message = 'an object of claims with the names of attributes';

const sources: Schema<ClaimSources> = v.pipe(
  v.custom<Record<string, unknown>>(isObject, expected(message)),
  v.record(claim, attributes),
);

/** For each claim the name of an attribute, or a list of names. As text it is JSON. */
export const claimSources: Kind<ClaimSources> = { fromFile: sources, fromText: json('an object', sources) };
