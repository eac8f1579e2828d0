import { isStale } from './change-errors.ts';
import { type Draft, foreignChanges, type Stored } from './draft.ts';

const attempts = 3;

export interface SaveDraftOptions<Typed> {
  readonly values: Typed;
  readonly draft: Draft<Typed> | undefined;
  readonly stored: Stored<Typed>;
  readonly save: (typed: Typed, version: string | undefined) => Promise<unknown>;
  readonly reread: (() => Promise<Stored<Typed>>) | undefined;
}

/**
 * Saves what was typed over the version of the record that the form shows. Where another user has changed only what
 * stands in no field of the form, it saves over that version too.
 */
export async function saveDraft<Typed extends object>(options: SaveDraftOptions<Typed>): Promise<unknown> {
  const { values, draft, stored, save, reread } = options;
  let { version } = stored;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await save(values, version);
    } catch (error) {
      if (!isStale(error) || draft === undefined || reread === undefined || attempt === attempts) throw error;
      const now = await reread();
      if (foreignChanges(draft, now).length > 0) throw error;
      version = now.version;
    }
  }
}
