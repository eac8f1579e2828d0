import type { AuthorizationServerUnavailable } from '../errors.ts';
import { isLoopback } from '../options/kinds.ts';
import type { Clocks } from '../platform/system.ts';

type Warn = (message: string) => void;

/**
 * Passes messages to a function that was handed in. What it throws, at once or later, is a line on the console with the message: it
 * must change no answer, and in the background it would end the process.
 */
export function carefully(warn: Warn, toConsole: Warn): Warn {
  return (message) => {
    new Promise<void>((resolve) => resolve(warn(message)))
      .catch((error: unknown) => toConsole(`${problemOf(error)} ${message}`))
      // A console that was replaced can throw too.
      .catch(() => {});
  };
}

function problemOf(error: unknown): string {
  const thrown = error instanceof Error ? error.message : `a value of type ${typeof error}`;
  return `The option warn threw: ${thrown}; expected a function that can be called alone, such as (message) => logger.warn(message).`;
}

const interval = 1000;

/** Warns at most once a second of a kind. */
export function paced(
  warn: Warn,
  { monotonic }: Pick<Clocks, 'monotonic'>,
): (kind: string, message: string) => void {
  const last = new Map<string, number>();
  return (kind, message) => {
    const now = monotonic();
    if (now - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < interval) return;
    last.set(kind, now);
    warn(message);
  };
}

/**
 * Warns operators why lookups fail, at most once a second for each reason. An error of the open circuit gives no
 * warning: the failures that opened it did.
 *
 * @param asked the address that was asked last
 */
export function warningsOf(
  asked: () => string,
  warn: Warn,
  clocks: Pick<Clocks, 'monotonic'>,
): (error: AuthorizationServerUnavailable) => void {
  const warnOf = paced(warn, clocks);
  return (error) => {
    if (error.reason !== 'circuit_open') warnOf(error.reason, shownFailure(error, asked()));
  };
}

/** @param asked the address that was asked last */
export function shownFailure({ message, detail }: AuthorizationServerUnavailable, asked: string): string {
  return `${message} Asked at ${asked}${detail === undefined ? '' : `: ${detail}`}`;
}

/** A warning about options that work but are not wise; `undefined` if there is none. */
export function connectionWarning(address: string): string | undefined {
  const isOpen = /^http:/i.test(address) && !isLoopback(address);
  return isOpen
    ? `Tokens and the secret of this API travel unencrypted to ${address}: use https where others share the network`
    : undefined;
}
