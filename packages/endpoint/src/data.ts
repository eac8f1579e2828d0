/** Itself: the copy of what needs none. */
export const same = <T>(value: T): T => value;

/**
 * Gives `target` the own properties of `source` that are not undefined, `__proto__` like any other. Without a target there is
 * a new one, but only if there is something to give.
 * @param omit names to leave out
 * @param copy of a value
 */
export const overlay = (
  target: Record<string, unknown> | undefined,
  source: Readonly<Record<string, unknown>> | null | undefined,
  copy: (value: unknown, name: string) => unknown = same,
  omit?: { has(name: string): boolean },
): Record<string, unknown> | undefined => {
  let result = target;
  for (const name of Object.keys(source ?? {})) {
    const value = source?.[name];
    if (value !== undefined && !omit?.has(name)) {
      result ??= {};
      // Assignment would take this name for the prototype.
      if (name === '__proto__') result = { ...result, [name]: copy(value, name) };
      else result[name] = copy(value, name);
    }
  }
  return result;
};

/**
 * A copy of lists and plain objects all the way down, so that a result and its caller share nothing; what is undefined is
 * left out. What is neither list nor plain object (a date, a form, a stream) stays itself.
 * @param finish what to do to each copy: freeze it, or nothing
 */
export const copyData = (value: unknown, finish: (copy: unknown) => unknown = same): unknown => {
  if (typeof value !== 'object' || !value) return value;
  const copy = (member: unknown) => copyData(member, finish);
  if (Array.isArray(value)) return finish(value.map(copy));
  // A plain object's prototype has none itself, be it of this realm or another (an iframe, a vm context).
  if (Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype)) return value;
  return finish(overlay({}, value as Record<string, unknown>, copy));
};

/**
 * Whether a body is sent as JSON. Text is sent as it is, and so are forms, bytes, blobs and streams, which have a tag or
 * an iterator where data has none.
 */
export const isJson = (body: unknown): boolean => {
  const thing = Object(body);
  return typeof body !== 'string' && !(thing[Symbol.toStringTag] ?? thing[Symbol.asyncIterator]);
};
