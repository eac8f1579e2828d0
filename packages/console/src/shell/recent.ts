import type { Principal } from '@watchword/admin-client';
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
 */
export function recentOf(storage: Storage, { name, attributes }: Principal): Recent {
  const owner = JSON.stringify([name, attributes.IDENTITY_PROVIDER ?? '']);
  const list = (): readonly SelectOption[] => {
    const kept = JSON.parse(storage.getItem(key) ?? 'null') as Kept | null;
    return kept?.owner === owner ? kept.options : [];
  };
  return {
    list,
    add(option) {
      const others = list().filter(({ value }) => value !== option.value);
      const kept: Kept = { owner, options: [option, ...others].slice(0, most) };
      storage.setItem(key, JSON.stringify(kept));
    },
  };
}

interface Kept {
  readonly owner: string;
  readonly options: readonly SelectOption[];
}
