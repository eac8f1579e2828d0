import type { Branding, StoredBranding } from '../../../model/records/branding.ts';

/** Reads what administrators made of the pages. */
export interface BrandingReader {
  /** 0 if there is none. */
  revision(): Promise<number>;
  find(): Promise<StoredBranding | undefined>;
  /** A draft for a preview. */
  findDraft(id: string): Promise<StoredBranding | undefined>;
}

/** Changes it, within a transaction. */
export interface BrandingStore extends BrandingReader {
  /** @param time epoch milliseconds */
  put(branding: Branding, time: number): Promise<void>;
  /** Stores a draft that no page shows. @param time epoch milliseconds */
  putDraft(id: string, branding: Branding, time: number): Promise<void>;
  /** Removes the drafts that were stored before. @param time epoch milliseconds */
  removeDrafts(time: number): Promise<void>;
}
