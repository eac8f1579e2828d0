import type { LoginField } from '@watchword/protocol';
import * as v from 'valibot';
import { message, shownText, state, status, text, wholeNumber } from './values.ts';

const maxFields = 50;
const fieldTypes = ['text', 'password', 'email', 'tel'] as const satisfies LoginField['type'][];

/** The members of all forms. */
export const formEntries = {
  type: v.literal('form'),
  status,
  /** Seconds. */
  retryAfter: v.optional(wholeNumber(0, 86_400)),
  message,
  state,
};

const field = v.object(
  {
    name: v.pipe(
      v.string('a name'),
      v.check((value) => value !== '' && value !== 'auth_state', 'a name other than auth_state'),
    ),
    label: v.pipe(v.string('a label'), v.nonEmpty('a label')),
    type: v.picklist(fieldTypes, `one of ${fieldTypes.join(', ')}`),
    autocomplete: text,
    value: v.optional(text),
  },
  'a field',
);

const maxChoices = 20;

/** The buttons beside a login form. */
export const loginChoices = v.optional(
  v.pipe(
    v.array(
      v.object(
        { value: v.pipe(v.string('a value'), v.nonEmpty('a value')), text: shownText },
        'a choice with value and text',
      ),
      `a list of at most ${maxChoices} choices`,
    ),
    v.maxLength(maxChoices, `a list of at most ${maxChoices} choices`),
  ),
);

/** See `PasskeyRequest`. */
export const passkeyRequest = v.optional(
  v.object({ options: v.record(v.string(), v.unknown()), unknown: v.optional(text) }, 'options of a passkey'),
);

/** The fields of a login form. */
export const loginFields = v.optional(
  v.pipe(
    v.array(field, `a list of at most ${maxFields} fields`),
    v.maxLength(maxFields, `a list of at most ${maxFields} fields`),
    v.check(
      (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
      'fields with different names',
    ),
  ),
);
