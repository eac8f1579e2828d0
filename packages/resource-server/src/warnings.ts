import type { AuthorizationServerUnavailable } from './errors.ts';
import type { Clocks } from './system.ts';

const interval = 1000;

/**
 * Warns operators why lookups fail, at most once a second for each reason. An error of the open circuit gives no
 * warning: the failures that opened it did.
 */
export function warningsOf(
  tokenInfoUrl: string,
  warn: (message: string) => void,
  { monotonic }: Pick<Clocks, 'monotonic'>,
): (error: AuthorizationServerUnavailable) => void {
  const last = new Map<string, number>();
  return ({ reason, message, detail }) => {
    const now = monotonic();
    if (reason === 'circuit_open' || now - (last.get(reason) ?? Number.NEGATIVE_INFINITY) < interval) return;
    last.set(reason, now);
    warn(`${message} Asked at ${tokenInfoUrl}${detail === undefined ? '' : `: ${detail}`}`);
  };
}

/** A warning about options that work but are not wise; `undefined` if there is none. */
export function connectionWarning(tokenInfoUrl: string): string | undefined {
  const isOpen =
    /^http:/i.test(tokenInfoUrl) &&
    !/^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])[:/]/i.test(`${tokenInfoUrl}/`);
  return isOpen
    ? `Tokens and the secret of this API travel unencrypted to ${tokenInfoUrl}: use https where others share the network`
    : undefined;
}
