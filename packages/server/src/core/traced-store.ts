import type { Tracer } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';

/** Parts of the store that answer from memory. */
const inMemory = new Set<string>(['clock', 'registry', 'primary']);

/** The same store, whose calls are steps of traces, each with the name of its part: `accessTokens.find`. */
export function tracedStore(store: ServerStore, tracer: Tracer): ServerStore {
  const parts = Object.entries(store).map(([name, part]) => {
    const isTraced = typeof part === 'object' && part !== null && !inMemory.has(name) && !Array.isArray(part);
    return [name, isTraced ? tracedPart(name, part, tracer) : part];
  });
  return Object.fromEntries(parts);
}

function tracedPart(name: string, part: object, tracer: Tracer): object {
  const methods = methodsOf(part).map((method) => {
    const call = (part as Record<string, (...given: unknown[]) => unknown>)[method];
    const step = `${name}.${method}`;
    return [method, (...given: unknown[]) => tracer.step(step, () => call?.apply(part, given))];
  });
  return { ...part, ...Object.fromEntries(methods) };
}

/** Of an object or of an instance of a class. */
function methodsOf(part: object): string[] {
  const names = new Set<string>();
  for (let owner = part; owner !== Object.prototype && owner !== null; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (name !== 'constructor' && typeof Reflect.get(part, name) === 'function') names.add(name);
    }
  }
  return [...names];
}
