import { resolve } from 'node:path';
import { isObject, pathProblem, secretLine } from '@watchword/protocol';
import * as v from 'valibot';
import { wholeNumberSchema } from '../schemas.ts';
import { expected, expectedConfidential } from './messages.ts';

/** The messages of its issues are problems for the operator: what was expected and what came. */
export type Schema<Value> = v.GenericSchema<unknown, Value>;

/** A kind of setting: which values are valid, and how they are read from a text and from a file. */
export interface Kind<Value> {
  /** Reads a value of a YAML or JSON file. */
  readonly fromFile: Schema<Value>;
  /** Reads the text of a flag or an environment variable. */
  readonly fromText: Schema<Value>;
  /** How a value is named in a usage; where values are few, all of them: `true|false`. Default: `value`. */
  readonly placeholder?: string;
  /** The part of a value that can be shown. Absent if values contain no secrets. */
  shown?(value: Value): unknown;
  /** The same value with relative paths resolved from this directory. Absent if values contain no paths. */
  resolveFrom?(directory: string, value: Value): Value;
}

export function textSchema(what: string, isValid: (value: string) => boolean) {
  const message = expected(what);
  return v.pipe(v.string(message), v.check(isValid, message));
}

/** Reads a text by a function. A text that the function cannot read stays as it is, and the schema rejects it. */
export function decoded<Value>(decode: (text: string) => unknown, schema: Schema<Value>): Schema<Value> {
  return v.pipe(v.string(), v.transform(decode), schema);
}

export function text(what: string, isValid: (value: string) => boolean): Kind<string> {
  const schema = textSchema(what, isValid);
  return { fromFile: schema, fromText: schema };
}

/** A text of which several spellings mean the same, in one of them. */
export function spelled(
  spell: (value: string) => string,
  { fromFile, fromText }: Kind<string>,
): Kind<string> {
  const one = (schema: Schema<string>) =>
    v.pipe(
      v.unknown(),
      v.transform((value) => (typeof value === 'string' ? spell(value) : value)),
      schema,
    );
  return { fromFile: one(fromFile), fromText: one(fromText) };
}

/** A secret text. No message shows it, and neither does `watchword config`. */
export function secret(what: string, isValid: (value: string) => boolean): Kind<string> {
  const message = expectedConfidential(what);
  const schema = v.pipe(v.string(message), v.transform(secretLine), v.check(isValid, message));
  return { fromFile: schema, fromText: schema, shown: () => '***' };
}

/** A text that a function says what to do about if it is wrong. */
function advisedSchema(what: string, adviceOn: (value: string) => string | undefined) {
  const message = expected(what, adviceOn);
  return v.pipe(
    v.string(message),
    v.check((value) => adviceOn(value) === undefined, message),
  );
}

/** A path. In a file it is relative to the directory of the file, in a flag or a variable to the working directory. */
export function path(what: string): Kind<string> {
  const schema = advisedSchema(what, pathProblem);
  return { fromFile: schema, fromText: schema, placeholder: 'path', resolveFrom: resolve };
}

export const moduleForm = 'the name of a module, a package or a file';
export const moduleSchema = v.pipe(
  advisedSchema(moduleForm, (value) => pathProblem(value, true)),
  v.check((value) => /^\S{1,1000}$/.test(value), expected(moduleForm)),
);

/** The name of a built-in or installed module, or the path of a file, which begins with `.` or `/`. */
export const moduleName: Kind<string> = {
  fromFile: moduleSchema,
  fromText: moduleSchema,
  resolveFrom: resolvedIfPath,
};

export function resolvedIfPath(directory: string, value: string): string {
  return /^\.{1,2}[/\\]/.test(value) ? resolve(directory, value) : value;
}

export function wholeNumber(minimum: number, maximum: number, unit = ''): Kind<number> {
  const what = `a whole number${unit && ` of ${unit}`} from ${minimum} to ${maximum}`;
  const schema = wholeNumberSchema(minimum, maximum, expected(what));
  return {
    fromFile: schema,
    fromText: decoded(digitsAsNumber, schema),
  };
}

/** A number from 0 to 1. */
const fractionSchema: Schema<number> = v.pipe(
  v.number(expected('a number from 0 to 1')),
  v.check((value) => value >= 0 && value <= 1, expected('a number from 0 to 1')),
);

export const fraction: Kind<number> = {
  fromFile: fractionSchema,
  fromText: decoded(
    (value) => (/^\d?(?:\.\d{1,9})?$/.test(value) && value !== '' ? Number(value) : value),
    fractionSchema,
  ),
};

/** A number of processes, or `auto`. */
export function processes(maximum: number): Kind<number | 'auto'> {
  const message = expected(`a whole number from 1 to ${maximum}, or auto`);
  const schema = v.union([v.literal('auto'), wholeNumberSchema(1, maximum, message)], message);
  return { fromFile: schema, fromText: decoded(digitsAsNumber, schema) };
}

/** A text that is no number stays as it is. */
function digitsAsNumber(value: string): unknown {
  return /^\d{1,15}$/.test(value) ? Number(value) : value;
}

const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const trueOrFalse = v.boolean(expected('true or false'));

export const truth: Kind<boolean> = {
  fromFile: trueOrFalse,
  fromText: decoded((value) => truths.get(value) ?? value, trueOrFalse),
  placeholder: 'true|false',
};

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Kind<Choice> {
  const schema = v.picklist(choices, expected(`one of ${choices.join(', ')}`));
  return { fromFile: schema, fromText: schema, placeholder: choices.join('|') };
}

type RegistrationRight = 'everyone' | 'administrators' | `group:${string}`;

const registrationRightSchema = v.custom<RegistrationRight>(
  (value) =>
    typeof value === 'string' &&
    /^(?:everyone|administrators|group:[^\s\p{Cc}](?:[^\p{Cc}]{0,253}[^\s\p{Cc}])?)$/u.test(value),
  expected('everyone, administrators, or group: and the name of a group'),
);

/** Who may register records. */
export const registrationRight: Kind<RegistrationRight> = {
  fromFile: registrationRightSchema,
  fromText: registrationRightSchema,
  placeholder: 'everyone|administrators|group:NAME',
};

/** One or more of the choices, each once. In text, commas separate them. */
export function choices<const Choice extends string>(all: readonly Choice[]): Kind<readonly Choice[]> {
  const message = expected(`a list of ${all.join(', ')}, each at most once`);
  const isSet = (chosen: Choice[]) => chosen.length > 0 && new Set(chosen).size === chosen.length;
  const schema: Schema<Choice[]> = v.pipe(
    v.array(v.picklist(all, message), message),
    v.check(isSet, message),
  );
  return { fromFile: schema, fromText: decoded(separatedByCommas, schema), placeholder: all.join(',') };
}

/** A setting without a default. */
export function optional<Value>(kind: Kind<Value>): Kind<Value | undefined> {
  return kind;
}

/** A list. In text, commas separate its items. */
export function listOf(what: string, item: Schema<string>): Kind<readonly string[]> {
  const schema = v.array(item, expected(`a list of ${what}`));
  return { fromFile: schema, fromText: decoded(separatedByCommas, schema) };
}

export function separatedByCommas(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** An object with any members, which can be secrets. */
export function objectSchema(what: string) {
  return v.custom<Readonly<Record<string, unknown>>>(isObject, expectedConfidential(what));
}

/**
 * Reports every other field of an object. The object schemas of Valibot report one of them, or leave out `constructor`.
 *
 * @param of what the object is, with its article
 */
export function noOtherField(of: string, fields: readonly string[]) {
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [key, value] of Object.entries(dataset.value)) {
        if (fields.includes(key)) continue;
        addIssue({
          message: `is not a field of ${of}; expected one of ${fields.join(', ')}`,
          path: [{ type: 'object', origin: 'key', input: dataset.value, key, value }],
        });
      }
    }),
  );
}

/** Reads JSON. The message does not have the reason of the parser, which shows a part of the text. */
export function json<Value>(what: string, schema: Schema<Value>): Schema<Value> {
  const message = `expected ${what} in JSON, got a text that is not JSON`;
  return v.pipe(v.string(), v.parseJson(undefined, message), schema);
}

/** An object with any members. As text it is JSON. */
export const object: Kind<Readonly<Record<string, unknown>>> = {
  fromFile: objectSchema('an object'),
  fromText: json('an object', objectSchema('an object in JSON')),
  shown: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, '***'])),
};
