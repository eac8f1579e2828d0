import { useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { type Draft, isDraft } from './draft.ts';

/** The draft under the key, which survives a sign-in and a reload. */
export function useDraft<Typed>(key: string) {
  const { drafts } = useEnvironment();
  const [draft, setDraft] = useState(() => {
    const kept = drafts.get(key);
    return isDraft(kept) ? (kept as Draft<Typed>) : undefined;
  });
  const [isRestored, setRestored] = useState(draft !== undefined);

  function keep(next: Draft<Typed> | undefined) {
    setDraft(next);
    if (next === undefined) drafts.forget(key);
    else drafts.set(key, next);
  }

  return {
    draft,
    isRestored: isRestored && draft !== undefined,
    keep,
    forget() {
      keep(undefined);
      setRestored(false);
    },
  };
}
