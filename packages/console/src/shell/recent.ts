import { keepJson, keptJson } from '../browser-storage.ts';
import type { SelectOption } from '../components/search/use-combobox.ts';

const key = 'watchword.recent';
const most = 6;

/** What a user has opened last by a search. */
export interface Recent {
  /** The newest first. */
  list(): readonly SelectOption[];
  add(option: SelectOption): void;
}

/**
 * It ends with the tab, and is of one user: names of people are in it. A credential never is, because what was typed is not kept, but the record that
 * it led to.
 *
 * @param storage of the tab
 * @param owner the key of the user
 */
export function recentOf(storage: Storage, owner: string): Recent {
  const list = (): readonly SelectOption[] => {
    const kept = keptJson(storage, key);
    return isKept(kept) && kept.owner === owner ? kept.options : [];
  };
  return {
    list,
    add(option) {
      const others = list().filter(({ value }) => value !== option.value);
      const kept: Kept = { owner, options: [option, ...others].slice(0, most) };
      keepJson(storage, key, kept);
    },
  };
}

interface Kept {
  readonly owner: string;
  readonly options: readonly SelectOption[];
}

function isKept(kept: unknown): kept is Kept {
  const { owner, options } = (kept ?? {}) as Partial<Record<string, unknown>>;
  return typeof owner === 'string' && Array.isArray(options) && options.every(isOption);
}

function isOption(option: unknown): option is SelectOption {
  const { value, label, note = '' } = (option ?? {}) as Partial<Record<string, unknown>>;
  return [value, label, note].every((text) => typeof text === 'string');
}
