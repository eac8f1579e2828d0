import { builtinModule } from './platform.ts';

/** Runs work that goes on after the request that started it, in the async context in which the verifier was made. */
export type Background = <Value>(work: () => Value) => Value;

interface AsyncHooks {
  readonly AsyncLocalStorage?: { snapshot?(): Background };
}

/**
 * Takes the async context of the call. Otherwise the work would have that of the first request: its user, its trace, its memory. Platforms
 * that are not like Node.js have no such contexts.
 */
export function takeContext(): Background {
  const { AsyncLocalStorage } = builtinModule('node:async_hooks') as AsyncHooks;
  return AsyncLocalStorage?.snapshot?.() ?? ((work) => work());
}
