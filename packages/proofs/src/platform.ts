/**
 * What this package uses of the platform: web standards that Node.js, Deno, Bun and Workers share, and what Node.js adds. Spelled out here so
 * that neither this package nor its users need the types of one of them.
 */
export interface Platform {
  readonly URL: new (text: string) => { readonly origin: string; readonly pathname: string };
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new (
    encoding: string,
    how: { readonly fatal: boolean },
  ) => { decode(bytes: Uint8Array): string };
  readonly crypto?: {
    readonly subtle?: { digest(algorithm: string, bytes: Uint8Array): Promise<ArrayBuffer> };
  };
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

export const platform = globalThis as unknown as Platform;
