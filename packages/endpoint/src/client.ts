import { isJson, own } from './data.ts';
import type { RequestOptions } from './types/options.ts';

/** What clients have in common. */
export interface ClientOptions {
  /** Upper case: some clients do not change `patch`. */
  method: string;
  headers: Record<string, string>;
  [option: string]: unknown;
}

/** The part of `AbortSignal` that every runtime has. */
interface Signals {
  timeout(milliseconds: number): object;
  any?(signals: readonly object[]): object;
}

const call = (value: unknown): unknown => (typeof value === 'function' ? value() : value);

/**
 * The members of `request` that are options of a client: all but `fetch`. A `signal` or `timeout` that is a function is called,
 * because a signal of its own belongs to each request.
 */
export const clientOptions = ({ method, headers, request }: RequestOptions): ClientOptions => {
  const { fetch: _, ...options } = Object(request);
  for (const name of ['signal', 'timeout']) {
    const value = own(options, name);
    if (value !== undefined) options[name] = call(value);
  }
  return { ...options, method: method.toUpperCase(), headers: { ...headers } };
};

/** For a client without `timeout` (milliseconds, more than 0): the signal ends the request then, too. */
export const withTimeoutSignal = ({ timeout, signal, ...options }: ClientOptions): ClientOptions => {
  const { AbortSignal } = globalThis as unknown as { readonly AbortSignal: Signals };
  const limit = typeof timeout === 'number' && timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
  const both = limit && signal ? AbortSignal.any?.([signal, limit]) : (limit ?? signal);
  return (both ? { ...options, signal: both } : options) as ClientOptions;
};

/** JSON as text. Text, bytes, forms and streams are themselves. */
export const bodyOf = (body: unknown): unknown =>
  body !== undefined && isJson(body) ? JSON.stringify(body) : body;

/** For clients that know no `URLSearchParams`: it is text, with its content type. */
export const withText = (body: unknown, headers: Record<string, string>): unknown => {
  const sent = bodyOf(body);
  if (Object(sent)[Symbol.toStringTag] !== 'URLSearchParams') return sent;
  headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8';
  return String(sent);
};
