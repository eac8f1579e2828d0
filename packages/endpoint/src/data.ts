/** Itself: the copy of what needs none. */
export const same = <T>(value: T): T => value;

/** Called by `call`, because values can have a property of this name. */
const isOwn = {}.hasOwnProperty;

/**
 * What the object itself has of this name, or undefined. In a `for … in` loop, V8 finds out without a call whether a property
 * is an own one: five names take 14 ns, and 110 by a list of `Object.keys`.
 */
export const own = (source: object | null | undefined, name: string): unknown =>
  source && isOwn.call(source, name) ? source[name as never] : undefined;

/** What a value is called where it is no text: `[object Promise]`. */
export const kindOf = (value: unknown): string => ({}).toString.call(value);

/** Whether an object is one of this realm, or of another (an iframe, a vm context): its prototype has none itself. */
export const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  // Most are of this realm.
  return prototype === Object.prototype || !Object.getPrototypeOf(prototype ?? Object.prototype);
};

/** Whether the object defines its own JSON form, as dates do. */
export const hasJson = (value: unknown): value is { toJSON(): unknown } =>
  typeof (value as { readonly toJSON?: unknown }).toJSON === 'function';

/** Defines a property; assignment would take `__proto__` for the prototype. */
export const put = (target: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === '__proto__') {
    Object.defineProperties(target, Object.getOwnPropertyDescriptors({ [name]: value }));
  } else target[name] = value;
};

/**
 * Gives `target` the own properties of `source` that are not undefined.
 * @param copy of each value
 */
export const overlay = (
  target: Record<string, unknown>,
  source: object | null | undefined,
  copy: (value: unknown) => unknown = same,
  omitted?: ReadonlySet<string>,
): Record<string, unknown> => {
  for (const name in source) {
    const value = own(source, name);
    if (value !== undefined && !omitted?.has(name)) put(target, name, copy(value));
  }
  return target;
};

/** Sees what stays itself in a copy, with the name of the parameter that it is in. */
export type Check = (value: unknown, place: string) => unknown;

const copyObject = (value: object, finish: typeof same, check: Check, place: string): object => {
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const member = own(copy, name);
    if (typeof member === 'string') continue;
    // Own already, so that the assignment takes no name for the prototype.
    if (member !== undefined) copy[name] = copyData(member, finish, check, place);
    else delete copy[name];
  }
  return finish(copy);
};

/**
 * A copy of lists and plain objects all the way down, so that a result and its caller share nothing; what is undefined is
 * left out. What is neither list nor plain object, or has a `toJSON` (a date, a form, a stream) stays itself.
 * @param finish what to do to each copy: freeze it, or nothing
 */
export const copyData = (
  value: unknown,
  finish: typeof same = same,
  check: Check = same,
  place = '',
): unknown => {
  if (typeof value !== 'object' || !value) return check(value, place);
  if (Array.isArray(value)) {
    const copy: unknown[] = value.slice();
    for (let index = 0; index < copy.length; index++) {
      const member = copy[index];
      if (typeof member !== 'string') copy[index] = copyData(member, finish, check, place);
    }
    return finish(copy);
  }
  if (isPlain(value)) return hasJson(value) ? check(value, place) : copyObject(value, finish, check, place);
  const data = value instanceof Set ? [...value] : value instanceof Map && Object.fromEntries(value);
  return data ? copyData(data, finish, check, place) : check(value, place);
};

/**
 * Whether a body is sent as JSON. Text is sent as it is, and so are forms, bytes, blobs and streams, which have a tag or
 * an iterator where data has none.
 */
export const isJson = (body: unknown): boolean => {
  if (typeof body === 'string') return false;
  const thing = Object(body);
  return !(thing[Symbol.toStringTag] ?? thing[Symbol.asyncIterator]);
};
