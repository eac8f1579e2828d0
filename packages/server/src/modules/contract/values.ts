import { isObject } from '@watchword/protocol';
import * as v from 'valibot';
import { wholeNumberSchema } from '../../schemas.ts';
import { deviceText } from '../services/known-devices.ts';

/** Schemas of the values in answers of modules. The message of each completes "expected …". */

export const text = v.string('a text');
export const flag = v.boolean('true or false');
export const callable = v.function('a function');
export const listOfTexts = v.array(text, 'a list of texts');
/** Not `v.record`, which leaves out members with the names `constructor`, `prototype` and `__proto__`. */
export const textsByName = v.pipe(
  v.custom<Readonly<Record<string, string>>>(isObject, 'an object of texts'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [key, value] of Object.entries<unknown>(dataset.value)) {
      if (typeof value === 'string') continue;
      addIssue({
        message: 'a text',
        input: value,
        path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }],
      });
    }
  }),
);

/** A text that can be stored and compared: not empty, without NUL, and well formed. */
export const name = v.pipe(
  v.string('a name'),
  v.check((value) => value !== '' && !value.includes('\0') && value.isWellFormed(), 'a name'),
);

export function wholeNumber(minimum: number, maximum: number) {
  return wholeNumberSchema(minimum, maximum, `a whole number from ${minimum} to ${maximum}`);
}

/** HTTP status of a page. */
export const status = v.optional(v.custom<number>(isPageStatus, 'the status 200, or one from 400 to 599'));

function isPageStatus(value: unknown): boolean {
  return value === 200 || (Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599);
}

/** A text for the user on a page. */
// Most are objects with a key, and a schema that does not fit costs more than one that does.
export const shownText = v.union(
  [v.object({ key: text, values: v.optional(textsByName) }), text],
  'a text, or an object with a key and values that are texts',
);

export const message = v.optional(shownText);

/** What `LoginAttempts.remember` returned. */
export const knownDevice = v.pipe(
  v.string('what loginAttempts.remember returned'),
  v.regex(deviceText, 'what loginAttempts.remember returned'),
);

/** The state of a module. It is sealed into the page. */
export const state = v.optional(v.custom<unknown>(isWritable, 'a value for JSON.stringify'));

function isWritable(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** The target of a redirect. */
export const url = v.pipe(
  v.string('an absolute http(s) URL'),
  v.check((value) => isUrl(value), 'an absolute http(s) URL'),
);

/** The target of a redirect, which can also be a path of this server. */
export const location = v.pipe(
  v.string('an absolute http(s) URL, or a path of this server'),
  v.check(
    (value) => /^\/(?![/\\])[\x21-\x7e]*$/.test(value) || isUrl(value),
    'an absolute http(s) URL, or a path of this server',
  ),
);

function isUrl(value: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value);
}
