import { platform } from './platform.ts';

/** `AsyncDisposable`, where the types of the user know such. */
export type Closing = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? { readonly [Each in Name]: () => Promise<void> }
  : object;

/** What `await using` needs. Older platforms lack the symbol. */
export function closing(close: () => void): Closing {
  const { asyncDispose } = platform.Symbol;
  return (asyncDispose === undefined ? {} : { [asyncDispose]: async () => close() }) as Closing;
}
