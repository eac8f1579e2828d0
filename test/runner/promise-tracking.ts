// node:test follows every promise and every timer by an asynchronous hook, to know the suite of a test and the test of an error
// that nothing catches. It takes a fifth of the processor time of the tests. The first is needed only while a file is loaded,
// and nobody can turn the hook off but by taking it where node:test makes it: so import this module before that one.
import asyncHooks, { type AsyncHook, AsyncResource } from 'node:async_hooks';

const { createHook } = asyncHooks;
let hook: AsyncHook | undefined;
asyncHooks.createHook = (callbacks) => {
  hook = createHook(callbacks);
  asyncHooks.createHook = createHook;
  return hook;
};

// Belongs to no suite. Without it, the suite of a file could become part of the suite of the file before it.
const outside = new AsyncResource('test files');

/** Runs `register`, which tells node:test of a suite. Its promises are followed until {@link registered} is called. */
export function register(suite: () => void): void {
  hook?.enable();
  outside.runInAsyncScope(suite);
}

/** Ends {@link register}, when every test of the suite is known. */
export function registered(): void {
  hook?.disable();
}
