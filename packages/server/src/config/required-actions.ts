import type { RequiredAction } from '@watchword/protocol';
import * as v from 'valibot';
import { wholeNumberSchema } from '../schemas.ts';
import { isHttpsUrl, isShortText } from './checks.ts';
import { json, type Kind, noOtherField, objectSchema, type Schema, textSchema } from './kinds.ts';
import { expected, expectedConfidential } from './messages.ts';
import { type TextByLanguage, textByLanguage } from './text-by-language.ts';

/** A required action, with its texts. */
export interface RequiredActionSetting extends RequiredAction {
  readonly title: TextByLanguage;
  readonly text: TextByLanguage;
}

const maxTextLength = 4000;
const longestRepeat = 3650;
const days = `a whole number of days from 1 to ${longestRepeat}`;

const entries = {
  name: textSchema('a name of at most 40 lower-case letters, digits and hyphens', (value) =>
    /^[a-z0-9][a-z0-9-]{0,39}$/.test(value),
  ),
  version: textSchema('a text of at most 80 characters', isShortText(80)),
  title: textByLanguage(120),
  text: textByLanguage(maxTextLength),
  url: v.optional(textSchema('an https URL', isHttpsUrl)),
  groups: v.optional(
    v.pipe(
      v.array(textSchema('the name of a group', isShortText(255)), expected('a list of groups')),
      v.nonEmpty(expected('a list of at least one group')),
    ),
  ),
  repeatAfter: v.optional(wholeNumberSchema(1, longestRepeat, expected(days))),
};

const fields = Object.keys(entries);
const form = `an object with ${fields.join(', ')}`;

const list: Schema<readonly RequiredActionSetting[]> = v.pipe(
  v.array(
    v.pipe(
      objectSchema(form),
      v.intersect([
        noOtherField('a required action', fields),
        v.object(entries, expected('name, version, title and text')),
      ]),
    ),
    expectedConfidential('a list of required actions'),
  ),
  v.check(
    (actions) => new Set(actions.map(({ name }) => name)).size === actions.length,
    'has the same name twice; give each required action a name of its own',
  ),
);

/** A list of required actions. As text it is JSON. */
export const requiredActionList: Kind<readonly RequiredActionSetting[]> = {
  fromFile: list,
  fromText: json('a list of required actions', list),
};
