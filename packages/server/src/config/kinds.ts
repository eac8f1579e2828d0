import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

/** A kind of setting: how its values are read from text and from a file, and which values are valid. */
export interface Kind<Value> {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** How a value is named in a usage; where values are few, all of them: `true|false`. Default: `value`. */
  readonly placeholder?: string;
  /** Values can contain secrets. They are never shown, not even in an error. */
  readonly isConfidential?: true;
  /** The part of a confidential value that can be shown. */
  shown?(value: Value): unknown;
  /** Reads a flag or an environment variable; `undefined` for an invalid text. */
  fromText(text: string): Value | undefined;
  /** Reads a value of a YAML or JSON file; `undefined` for an invalid value. */
  fromFile(value: unknown): Value | undefined;
  /** The same value with relative paths resolved from this directory. Absent if values contain no paths. */
  from?(directory: string, value: Value): Value;
}

export function text(expected: string, isValid: (value: string) => boolean): Kind<string> {
  const read = (value: string) => (isValid(value) ? value : undefined);
  return {
    expected,
    fromText: read,
    fromFile: (value) => (typeof value === 'string' ? read(value) : undefined),
  };
}

/** A path. In a file it is relative to the directory of the file, in a flag or a variable to the working directory. */
export function path(expected: string, isValid: (value: string) => boolean): Kind<string> {
  return { ...text(expected, isValid), placeholder: 'path', from: resolve };
}

/** The name of a built-in or installed module, or the path of a file, which begins with `.` or `/`. */
export function nameOrPath(expected: string, isValid: (value: string) => boolean): Kind<string> {
  return {
    ...text(expected, isValid),
    from: (directory, value) => (/^\.{1,2}[/\\]/.test(value) ? resolve(directory, value) : value),
  };
}

export function wholeNumber(min: number, max: number, unit = ''): Kind<number> {
  const read = (value: number) =>
    Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
  return {
    expected: `a whole number${unit && ` of ${unit}`} from ${min} to ${max}`,
    fromText: (value) => (/^\d{1,15}$/.test(value) ? read(Number(value)) : undefined),
    fromFile: (value) => (typeof value === 'number' ? read(value) : undefined),
  };
}

export const truth: Kind<boolean> = {
  expected: 'true or false',
  placeholder: 'true|false',
  fromText: (value) => ({ true: true, 1: true, false: false, 0: false })[value],
  fromFile: (value) => (typeof value === 'boolean' ? value : undefined),
};

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Kind<Choice> {
  const read = (value: unknown) => choices.find((choice) => choice === value);
  return {
    expected: `one of ${choices.join(', ')}`,
    placeholder: choices.join('|'),
    fromText: read,
    fromFile: read,
  };
}

/** A setting without a default. */
export function optional<Value>(kind: Kind<Value>): Kind<Value | undefined> {
  const { from, ...rest } = kind;
  return from === undefined
    ? rest
    : {
        ...rest,
        from: (directory, value) => (value === undefined ? undefined : from(directory, value)),
      };
}

/** A list. In text, commas separate its items. */
export function listOf(item: Kind<string>, expected: string): Kind<readonly string[]> {
  const read = (values: readonly unknown[]) => {
    const items = values.map((value) => item.fromFile(value));
    return items.every((value) => value !== undefined) ? items : undefined;
  };
  return {
    expected,
    fromText: (value) =>
      read(
        value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      ),
    fromFile: (value) => (Array.isArray(value) ? read(value) : undefined),
  };
}

/** An object with any members. As text it is JSON. */
export const record: Kind<Readonly<Record<string, unknown>>> = {
  expected: 'an object, as text in JSON',
  isConfidential: true,
  shown: (value) => Object.fromEntries(Object.keys(value).map((key) => [key, '***'])),
  fromText: (value) => {
    try {
      return asRecord(JSON.parse(value));
    } catch {
      return undefined;
    }
  },
  fromFile: asRecord,
};

/** The value if it is an object and not a list. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

export const addressRange = text('an IP address or range', (value) => {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
});

export const pictureHost = text(
  'a host name, with :port where it is not 443',
  (value) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i.test(value) && value.length <= 255,
);
