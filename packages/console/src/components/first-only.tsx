interface FirstOnlyProps {
  /** What was read; `undefined` while it is being read. */
  readonly list: { readonly items: readonly unknown[]; readonly isComplete: boolean } | undefined;
}

/** Below a table: that there are more than are listed. */
export function FirstOnly({ list }: FirstOnlyProps) {
  if (list?.isComplete !== false) return undefined;
  return <p className="quiet">Only the first {list.items.length} are listed: search for the others.</p>;
}
