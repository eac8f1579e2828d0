import { AdminError, type AdminErrorDetails } from './admin-error.ts';
import { longestPage, nextCursor, type Page } from './page.ts';
import type { Transport } from './transport.ts';

type Request = Parameters<Transport['send']>[0];

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ChangeOptions extends CallOptions {
  /** {@link Versioned.version}. If the record has changed since, the call rejects with `precondition_failed`. */
  readonly version?: string | undefined;
}

/** A record with the version that was read, its `ETag` (RFC 9110 §8.8.3). */
export interface Versioned<Value> {
  readonly record: Value;
  readonly version: string | undefined;
}

/** Reads answers of each form. */
export interface Requests {
  readonly endpoint: Transport['endpoint'];
  answer<Value>(request: Request, options?: CallOptions): Promise<Answer<Value>>;
  json<Value>(request: Request, options?: CallOptions): Promise<Value>;
  versioned<Value>(request: Request, options?: CallOptions): Promise<Versioned<Value>>;
  page<Item>(request: Request, options?: CallOptions): Promise<Page<Item>>;
  nothing(request: Request, options?: CallOptions): Promise<void>;
}

export interface Answer<Value> {
  readonly body: Value;
  readonly headers: Headers;
}

export function requests({ endpoint, send }: Transport): Requests {
  async function answer<Value>(request: Request, { signal }: CallOptions = {}): Promise<Answer<Value>> {
    const response = await send(request, signal);
    return { body: await readJson(response), headers: response.headers };
  }
  return {
    endpoint,
    answer,
    json: async <Value>(request: Request, options?: CallOptions) =>
      (await answer<Value>(request, options)).body,
    async versioned<Value>(request: Request, options?: CallOptions) {
      const { body, headers } = await answer<Value>(request, options);
      return { record: body, version: headers.get('etag') ?? undefined };
    },
    async page<Item>(request: Request, options?: CallOptions) {
      const { body, headers } = await answer<readonly Item[]>(request, options);
      const total = Number.parseInt(headers.get('x-total-count') ?? '', 10);
      return {
        items: listOf(body),
        next: nextCursor(headers.get('link')),
        total: Number.isNaN(total) ? undefined : total,
      };
    },
    async nothing(request, { signal } = {}) {
      const response = await send(request, signal);
      await response.body?.cancel();
    },
  };
}

async function readJson<Value>(response: Response): Promise<Value> {
  const { status } = response;
  try {
    const body: unknown = await response.json();
    if (isObject(body)) return body as Value;
  } catch (cause) {
    if (cause instanceof AdminError) throw cause;
    throw unexpected('an answer in JSON', { status, cause });
  }
  throw unexpected('a record or a list', { status });
}

/** @throws AdminError unless the body is a page of a list */
export function listOf<Item>(body: readonly Item[]): readonly Item[] {
  if (Array.isArray(body) && body.length <= longestPage && body.every(isObject)) return body;
  throw unexpected(`a list of at most ${longestPage} records`, { status: 200 });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function unexpected(expected: string, details: Pick<AdminErrorDetails, 'status' | 'cause'>): AdminError {
  return new AdminError(`Expected ${expected}; another server could be at this address.`, {
    ...details,
    code: 'unexpected_answer',
  });
}

/** Headers of a conditional change; without a version it is not conditional. */
export function conditional({ version }: ChangeOptions) {
  return { 'if-match': version };
}
