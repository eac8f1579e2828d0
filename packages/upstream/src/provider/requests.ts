import { isObject, type ModuleServices, type OutboundRequest } from '@watchword/protocol';
import { UpstreamError } from '../upstream-error.ts';
import type { PrivateHosts } from './web-url.ts';

/** The answer of a provider. */
export interface ProviderAnswer {
  readonly status: number;
  /** Media type in lower case, without parameters; `''` if there is none. */
  readonly contentType: string;
  readonly text: string;
}

/** Sends a request to the provider. @throws UpstreamError `unreachable` */
export type AskProvider = (url: string, request?: OutboundRequest) => Promise<ProviderAnswer>;

/** Octets of an answer: thousands of groups, and no more. */
const maxBytes = 1_000_000;

/** @param policy `timeout` in milliseconds */
export function askProvider(
  { createOutboundFetch }: Pick<ModuleServices, 'createOutboundFetch'>,
  {
    timeout,
    allowPrivateAddresses,
  }: { readonly timeout: number; readonly allowPrivateAddresses: PrivateHosts },
): AskProvider {
  // The URLs are https, or those of hosts that the operator permits: see `isWebUrl`.
  const outboundFetch = createOutboundFetch({ allowHttp: true, allowPrivateAddresses });
  const limits = { maxBytes, answerTimeout: timeout, timeout };
  return async (url, request = {}) => {
    try {
      const answer = await outboundFetch(url, { ...limits, ...request });
      const [contentType = ''] = String(answer.headers['content-type'] ?? '').split(';', 1);
      return {
        status: answer.status,
        contentType: contentType.trim().toLowerCase(),
        text: await answer.text(),
      };
    } catch (error) {
      // Recognized by its name: the server made it.
      if (!(error instanceof Error) || error.name !== 'OutboundError') throw error;
      throw new UpstreamError('unreachable', error.message);
    }
  };
}

/** The members of a JSON object; `undefined` for any other text. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A time in epoch seconds (RFC 7519 §2, NumericDate), until the year 5138. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e11;
}
