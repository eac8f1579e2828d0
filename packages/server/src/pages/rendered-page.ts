import type { ContentSources } from '@watchword/protocol';

/** The data of the request that a page needs. */
export interface PageRequest {
  readonly acceptLanguage: string | undefined;
  readonly requestId: string;
  /** Origins (`https://app.example`) or schemes (`com.example.app:`) to which the answer to a form can redirect. */
  readonly formTargets: readonly string[];
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  /** A GET of the address in the browser shows the page once more. */
  readonly isRepeatable?: boolean;
  /** Pages of this server can show the page in a frame. */
  readonly isFramed?: boolean;
}

/** A document that a module shows instead of a page. */
export interface ModuleDocument {
  readonly contentType: string;
  readonly allow: ContentSources;
  readonly formTargets: readonly string[];
}

export interface RenderedPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}
