/**
 * What this package uses of the platform: web standards that Node.js, Deno, Bun, Workers and browsers share, and
 * what Node.js adds. Spelled out here so that neither this package nor its users need the types of one of them.
 */
export interface Platform {
  readonly fetch: Fetch;
  readonly Response: new (
    body: string | null,
    init: { status: number; headers: Record<string, string> },
  ) => unknown;
  readonly AbortController: new () => { readonly signal: AbortSignal; abort(): void };
  readonly TextDecoder: new (encoding: string) => { decode(bytes?: Uint8Array, how?: object): string };
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly URL: new (text: string) => UrlParts;
  readonly btoa: (text: string) => string;
  readonly console: { warn(message: string): void };
  readonly performance: { now(): number };
  readonly setTimeout: (callback: () => void, milliseconds: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
  readonly Symbol: { readonly asyncDispose?: symbol };
  readonly process?: {
    readonly env?: Environment;
    getBuiltinModule?(name: string): unknown;
  };
}

interface UrlParts {
  readonly protocol: string;
  readonly hostname: string;
  readonly origin: string;
  readonly pathname: string;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An `AbortSignal` where such a type is in scope. */
export type AbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : object;

/** A `Response` where such a type is in scope. */
export type WebResponse = typeof globalThis extends { Response: { prototype: infer Answer } }
  ? Answer
  : object;

/** The platform's `fetch`, or a function in its place. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** Only of POST requests. */
  body?: string;
  redirect: 'manual';
  signal: AbortSignal;
}

/** What is read of a `Response`. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
      cancel(): Promise<void>;
    };
  } | null;
}

export const platform = globalThis as unknown as Platform;

/** An answer in JSON as a whole `Response`, for fetch handlers. */
export function responseOf(answer: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}): WebResponse {
  const headers = { ...answer.headers, 'content-type': 'application/json' };
  return new platform.Response(answer.body, { status: answer.status, headers }) as WebResponse;
}

/**
 * A module of Node.js, where the platform is like it; else nothing. Asking instead of importing: an import would keep this package out of
 * browsers.
 */
export function builtinModule(name: string, process: Platform['process'] = platform.process): object {
  return Object(process?.getBuiltinModule?.(name) ?? {});
}
