// node:test follows every promise and every timer by an asynchronous hook, to know the suite of a test and the test of an error
// that nothing catches. It takes a fifth of the processor time of the tests. The first is needed only while a file is loaded,
// and nobody can turn the hook off but by taking it where node:test makes it: so import this module before that one. A file that waits at
// its top for a promise of an earlier file has no tests then, which is a failure: let it wait in `before`.
import asyncHooks, { type AsyncHook, AsyncResource } from 'node:async_hooks';

const { createHook } = asyncHooks;
let hook: AsyncHook | undefined;
let forget: (id: number) => void;
/** Promises that were made while a file was loaded. */
let followed: number[] = [];
asyncHooks.createHook = ({ init, destroy }) => {
  forget = destroy as typeof forget;
  // Without `destroy`: with it, the garbage collector tells of each promise, which costs more than the rest of the hook.
  hook = createHook({
    init(id, type, trigger, resource) {
      if (type === 'PROMISE') followed.push(id);
      init?.(id, type, trigger, resource);
    },
  });
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
  followed.forEach(forget);
  followed = [];
}
